package dev.kudu4j.benchmarks.reads;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.PartialRow;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Events of users, in one of two layouts. Both tables have the same rows: the even times are
 * loaded, and the odd ones may arrive later, in no order.
 */
final class EventTable {
  private static final int TABLETS = 4;
  private static final int USERS = 100_000;
  private static final long SCATTER = 1_000_003; // a prime
  private static final String TIME = "time";
  private static final String USER = "user";
  private static final String TEXT =
      "lorem ipsum dolor sit amet consectetur adipiscing elit sed do ";

  /** The order of the rows. */
  enum Layout {
    /** By time, and tablets are ranges of time: a range of time is in one place. */
    SORTED,
    /** By user, and tablets are hashes of users: a range of time is everywhere. */
    HASHED
  }

  private final KuduClient client;
  private final KuduTable table;
  private final long rows;

  private EventTable(KuduClient client, KuduTable table, long rows) {
    this.client = client;
    this.table = table;
    this.rows = rows;
  }

  /**
   * Creates the table, without rows.
   *
   * @param client borrowed
   * @param rows the number of rows that will be loaded
   */
  static EventTable create(KuduClient client, Layout layout, long rows, int replicas)
      throws KuduException {
    ColumnSchema time = new ColumnSchemaBuilder(TIME, Type.INT64).key(true).build();
    ColumnSchema amount = new ColumnSchemaBuilder("amount", Type.DOUBLE).build();
    ColumnSchema text = new ColumnSchemaBuilder("text", Type.STRING).build();
    boolean sorted = layout == Layout.SORTED;
    ColumnSchema user = new ColumnSchemaBuilder(USER, Type.INT32).key(!sorted).build();
    Schema schema =
        new Schema(sorted ? List.of(time, user, amount, text) : List.of(user, time, amount, text));
    CreateTableOptions options = new CreateTableOptions().setNumReplicas(replicas);
    if (sorted) {
      addRanges(schema, options, rows);
    } else {
      options.addHashPartitions(List.of(USER), TABLETS);
    }
    String name = "events_" + layout.name().toLowerCase(Locale.ROOT);
    return new EventTable(client, client.createTable(name, schema, options), rows);
  }

  private static void addRanges(Schema schema, CreateTableOptions options, long rows) {
    options.setRangePartitionColumns(List.of(TIME));
    PartialRow lower = schema.newPartialRow();
    for (int tablet = 1; tablet <= TABLETS; tablet++) {
      PartialRow upper = schema.newPartialRow();
      if (tablet < TABLETS) {
        upper.addLong(TIME, 2 * rows * tablet / TABLETS);
      }
      options.addRangePartition(lower, upper);
      lower = upper;
    }
  }

  /** The rows to load, in the order of their times. */
  Iterator<Insert> loaded() {
    return LongStream.range(0, rows).mapToObj(i -> insert(2 * i)).iterator();
  }

  /** The n-th row that arrives later; there are as many as are loaded. */
  Insert arriving(long n) {
    return insert(2 * (n % rows * SCATTER % rows) + 1);
  }

  private Insert insert(long time) {
    SplittableRandom random = new SplittableRandom(time);
    Insert insert = table.newInsert();
    PartialRow row = insert.getRow();
    row.addLong(TIME, time);
    row.addInt(USER, random.nextInt(USERS));
    row.addDouble("amount", random.nextInt(100_000) / 100.0);
    int begin = random.nextInt(TEXT.length());
    row.addString("text", TEXT.substring(begin) + time + " " + TEXT.substring(0, begin));
    return insert;
  }

  /** Reads all columns of the rows of a range of time, and returns their number. */
  long read(long begin, long end) throws KuduException {
    return count(
        client
            .newScannerBuilder(table)
            .addPredicate(compared(ComparisonOp.GREATER_EQUAL, begin))
            .addPredicate(compared(ComparisonOp.LESS, end))
            .build());
  }

  /** Reads all columns of the row of a time; returns whether there is one. */
  boolean has(long time) throws KuduException {
    return count(
            client
                .newScannerBuilder(table)
                .addPredicate(compared(ComparisonOp.EQUAL, time))
                .build())
        == 1;
  }

  private static long count(KuduScanner scanner) throws KuduException {
    long count = 0;
    while (scanner.hasMoreRows()) {
      count += scanner.nextRows().getNumRows();
    }
    scanner.close();
    return count;
  }

  private KuduPredicate compared(ComparisonOp operator, long time) {
    return KuduPredicate.newComparisonPredicate(table.getSchema().getColumn(TIME), operator, time);
  }
}
