package dev.kudu4j.spark.catalog;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RangePartitionBound;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses ranges in the syntax of Impala and of Kudu's messages, separated by semicolons or commas:
 *
 * <pre>
 *   VALUES &lt; 10; 10 &lt;= VALUES &lt; 20; VALUE = 20; 20 &lt; VALUES
 *   ('a', 1) &lt;= VALUES &lt; ('b', 1)            with several range columns
 *   UNBOUNDED
 *   10 &lt;= VALUES &lt; 20 HASH (a) PARTITIONS 3 HASH (b, c) PARTITIONS 2
 * </pre>
 *
 * <p>HASH is the hash schema of a single range; without columns it hashes the whole key. Names may
 * be in backquotes. Text, dates and times have single or double quotes, or no quotes if they
 * contain no blanks. Times are in UTC unless they have an offset, or local in a column without time
 * zone.
 */
final class RangeReader {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:(?<text>'(?:[^'\\\\]|\\\\.|'')*'|\"(?:[^\"\\\\]|\\\\.)*\")"
              + "|`(?<name>(?:[^`]|``)*)`"
              + "|(?<sign><=|>=|<|>|=|\\(|\\)|,|;)"
              + "|(?<word>[^\\s'\"`<>=(),;]+))");

  private record Token(String text, boolean quoted) {
    boolean is(String word) {
      return !quoted && text.equalsIgnoreCase(word);
    }
  }

  private final Schema schema;
  private final List<ColumnSchema> columns;
  private final String whole;
  private final List<Token> tokens;
  private int at;

  private RangeReader(Schema schema, List<String> columns, String text) {
    this.schema = schema;
    this.columns = columns.stream().map(schema::getColumn).toList();
    this.whole = text;
    this.tokens = tokens(text);
  }

  /**
   * @throws IllegalArgumentException if the text is malformed; the message contains the text and
   *     the error
   */
  static List<NewRange> read(Schema schema, List<String> columns, String text) {
    return new RangeReader(schema, columns, text).ranges();
  }

  private List<Token> tokens(String text) {
    List<Token> tokens = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(text);
    int end = 0;
    while (end < text.length() && matcher.find() && matcher.start() == end) {
      end = matcher.end();
      if (matcher.group("text") != null) {
        tokens.add(new Token(unquoted(matcher.group("text")), true));
      } else if (matcher.group("name") != null) {
        tokens.add(new Token(matcher.group("name").replace("``", "`"), true));
      } else {
        tokens.add(new Token(matcher.group().strip(), false));
      }
    }
    if (!text.substring(end).isBlank()) {
      throw wrong("'" + text.substring(end).strip() + "' is invalid");
    }
    return tokens;
  }

  private static String unquoted(String quoted) {
    String inner = quoted.substring(1, quoted.length() - 1);
    if (quoted.charAt(0) == '\'') {
      inner = inner.replace("''", "'");
    }
    return inner.replaceAll("\\\\(.)", "$1");
  }

  private List<NewRange> ranges() {
    List<NewRange> ranges = new ArrayList<>();
    while (at < tokens.size()) {
      take("PARTITION");
      ranges.add(range());
      if (at < tokens.size() && !take(",") && !take(";")) {
        throw wrong("ranges must be separated by ;, but there is '" + tokens.get(at).text() + "'");
      }
    }
    return ranges;
  }

  private NewRange range() {
    NewRange bounds = bounds();
    List<NewRange.Hashing> own = new ArrayList<>();
    while (take("HASH")) {
      own.add(hashing());
    }
    return bounds.hashedBy(own);
  }

  private NewRange bounds() {
    if (take("UNBOUNDED")) {
      return new NewRange(
          none(), none(), RangePartitionBound.INCLUSIVE_BOUND, RangePartitionBound.EXCLUSIVE_BOUND);
    }
    if (take("VALUE")) {
      expect("=");
      PartialRow value = tuple();
      return new NewRange(
          value, value, RangePartitionBound.INCLUSIVE_BOUND, RangePartitionBound.INCLUSIVE_BOUND);
    }
    if (take("VALUES")) {
      if (is("<") || is("<=")) {
        return below(none(), RangePartitionBound.INCLUSIVE_BOUND);
      }
      RangePartitionBound from = bound(">=", ">");
      return new NewRange(tuple(), none(), from, RangePartitionBound.EXCLUSIVE_BOUND);
    }
    PartialRow lower = tuple();
    RangePartitionBound from = bound("<=", "<");
    expect("VALUES");
    return is("<") || is("<=")
        ? below(lower, from)
        : new NewRange(lower, none(), from, RangePartitionBound.EXCLUSIVE_BOUND);
  }

  private NewRange below(PartialRow lower, RangePartitionBound from) {
    RangePartitionBound to = bound("<=", "<");
    return new NewRange(lower, tuple(), from, to);
  }

  private RangePartitionBound bound(String inclusive, String exclusive) {
    if (take(inclusive)) {
      return RangePartitionBound.INCLUSIVE_BOUND;
    }
    expect(exclusive);
    return RangePartitionBound.EXCLUSIVE_BOUND;
  }

  private NewRange.Hashing hashing() {
    List<String> hashed = new ArrayList<>();
    if (take("(")) {
      do {
        hashed.add(keyColumn(next().text()));
      } while (take(","));
      expect(")");
    } else {
      schema.getPrimaryKeyColumns().forEach(column -> hashed.add(column.getName()));
    }
    expect("PARTITIONS");
    String count = next().text();
    if (!count.matches("\\d{1,9}")) {
      throw wrong("HASH needs a number of partitions, but there is '" + count + "'");
    }
    return new NewRange.Hashing(hashed, Integer.parseInt(count));
  }

  private String keyColumn(String name) {
    return schema.getPrimaryKeyColumns().stream()
        .map(ColumnSchema::getName)
        .filter(name::equalsIgnoreCase)
        .findFirst()
        .orElseThrow(() -> wrong("'" + name + "' in HASH is not a column of the primary key"));
  }

  private PartialRow none() {
    return new PartialRow(schema);
  }

  private PartialRow tuple() {
    PartialRow row = new PartialRow(schema);
    boolean several = take("(");
    for (int i = 0; i < columns.size(); i++) {
      if (i > 0) {
        expect(",");
      }
      add(row, columns.get(i), next());
    }
    if (several) {
      expect(")");
    }
    return row;
  }

  // ---------------------------------------------------------------- values

  private void add(PartialRow row, ColumnSchema column, Token token) {
    String text = token.text();
    int index = schema.getColumnIndex(column.getName());
    try {
      switch (column.getType()) {
        case BOOL -> row.addBoolean(index, Boolean.parseBoolean(text));
        case INT8 -> row.addByte(index, Byte.parseByte(text));
        case INT16 -> row.addShort(index, Short.parseShort(text));
        case INT32 -> row.addInt(index, Integer.parseInt(text));
        case INT64 -> row.addLong(index, Long.parseLong(text));
        case DATE -> row.addDate(index, Date.valueOf(LocalDate.parse(text)));
        case UNIXTIME_MICROS -> row.addLong(index, micros(text, column.isWithoutTimeZone()));
        case DECIMAL -> row.addDecimal(index, new BigDecimal(text));
        case STRING -> row.addString(index, text);
        case VARCHAR -> row.addVarchar(index, text);
        case BINARY -> row.addBinary(index, text.getBytes(StandardCharsets.UTF_8));
        case FLOAT, DOUBLE ->
            throw new IllegalArgumentException("key columns cannot have floating-point types");
        case NESTED -> throw new IllegalArgumentException("key columns cannot have arrays");
      }
    } catch (IllegalArgumentException | DateTimeException e) {
      throw wrong(
          "'"
              + text
              + "' is not a valid "
              + column.getType().getName()
              + " for column "
              + column.getName()
              + " ("
              + e.getMessage()
              + ")");
    }
  }

  /**
   * Parses {@code 2020-02-29}, {@code 2020-02-29 12:00:00}, with or without an offset from UTC, or
   * a number of microseconds.
   *
   * @param local whether the column is without time zone: an offset is ignored, as Spark's casts do
   */
  private static long micros(String text, boolean local) {
    if (text.matches("-?\\d+")) {
      return Long.parseLong(text);
    }
    String iso = text.replace(' ', 'T');
    Instant instant;
    if (!iso.contains("T")) {
      instant = LocalDate.parse(iso).atStartOfDay().toInstant(ZoneOffset.UTC);
    } else if (iso.matches(".*(Z|[+-]\\d\\d(:?\\d\\d){1,2})$")) {
      OffsetDateTime time = OffsetDateTime.parse(iso);
      instant = local ? time.toLocalDateTime().toInstant(ZoneOffset.UTC) : time.toInstant();
    } else {
      instant = LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC);
    }
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  // ---------------------------------------------------------------- tokens

  private boolean is(String word) {
    return at < tokens.size() && tokens.get(at).is(word);
  }

  private boolean take(String word) {
    if (is(word)) {
      at++;
      return true;
    }
    return false;
  }

  private void expect(String word) {
    if (!take(word)) {
      String found = at < tokens.size() ? "'" + tokens.get(at).text() + "'" : "nothing";
      throw wrong(word + " is expected, but there is " + found);
    }
  }

  private Token next() {
    if (at >= tokens.size()) {
      throw wrong("a value is missing");
    }
    return tokens.get(at++);
  }

  private IllegalArgumentException wrong(String reason) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "Ranges \"%s\" of %s: %s. Write them like VALUES < 10; 10 <= VALUES < 20; VALUE = 20",
            whole,
            columns == null ? "the table" : columns.stream().map(ColumnSchema::getName).toList(),
            reason));
  }
}
