package dev.kudu4j.benchmarks.batching;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.PartialRow;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Short messages of a social network with what is known about each, as rows of about 1.3 KB. A row
 * follows from its id alone.
 */
final class Messages {
  /** The number of the column of the key. */
  static final int ID = 0;

  private static final long SEED = 20_110_630;
  private static final int POOL_CHARACTERS = 4 << 20;
  private static final int MIN_TEXT = 20;
  private static final int MAX_TEXT = 140;
  private static final int MIN_DETAILS = 1_000;
  private static final int MAX_DETAILS = 1_300;
  private static final int USERS = 1_000_000;
  private static final String[] LANGUAGES = {"de", "en", "es", "fr", "ja", "nl", "pt", "tr"};

  /** Words in random order, from which all texts are cut. */
  private final String pool;

  Messages() {
    SplittableRandom random = new SplittableRandom(SEED);
    String[] words = new String[5_000];
    for (int i = 0; i < words.length; i++) {
      words[i] = word(random);
    }
    StringBuilder text = new StringBuilder(POOL_CHARACTERS + 16);
    while (text.length() < POOL_CHARACTERS) {
      // the product makes the first words the most frequent ones
      text.append(words[(int) (words.length * random.nextDouble() * random.nextDouble())]);
      text.append(' ');
    }
    this.pool = text.toString();
  }

  private static String word(SplittableRandom random) {
    StringBuilder word = new StringBuilder();
    int letters = 2 + random.nextInt(9);
    for (int i = 0; i < letters; i++) {
      word.append((char) ('a' + random.nextInt(26)));
    }
    return word.toString();
  }

  static Schema schema() {
    return new Schema(
        List.of(
            new ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
            new ColumnSchemaBuilder("author", Type.INT32).build(),
            new ColumnSchemaBuilder("written", Type.UNIXTIME_MICROS).build(),
            new ColumnSchemaBuilder("language", Type.STRING).build(),
            new ColumnSchemaBuilder("text", Type.STRING).build(),
            new ColumnSchemaBuilder("details", Type.STRING).build()));
  }

  /** Sets all columns of the row with this id. */
  void fill(PartialRow row, long id) {
    SplittableRandom random = new SplittableRandom(SEED + id);
    row.addLong(ID, id);
    row.addInt(1, random.nextInt(USERS));
    row.addLong(2, 1_300_000_000_000_000L + id * 1_000);
    row.addString(3, LANGUAGES[random.nextInt(LANGUAGES.length)]);
    row.addString(4, cut(random, MIN_TEXT, MAX_TEXT));
    row.addString(5, cut(random, MIN_DETAILS, MAX_DETAILS));
  }

  private String cut(SplittableRandom random, int min, int max) {
    int length = min + random.nextInt(max - min + 1);
    int begin = random.nextInt(pool.length() - length);
    return pool.substring(begin, begin + length);
  }
}
