package dev.kudu4j.benchmarks.changes.spark;

import dev.kudu4j.benchmarks.changes.Change;

/**
 * The statements of a round. Rows to change are chosen by the remainder of a key by {@value
 * #SHARES}, another one in each round: those of an order for small tables, of a part or a supplier
 * for conditions, which are everywhere in a table sorted by order.
 */
final class Statements {
  private static final int SHARES = 100;

  /** Above all keys of orders up to scale 1000. */
  private static final long NEW_ORDERS = 10_000_000_000L;

  /** Comment of the rows of small tables. */
  private static final String COMMENT = "from a small table";

  private Statements() {}

  /** The query for the rows of a small table, from the generated rows. */
  static String rowsOf(Change change, int round, String generated) {
    long firstNew = NEW_ORDERS * (2L * round + (change == Change.MERGE ? 2 : 1));
    String key =
        switch (change) {
          case INSERT -> "l_orderkey + " + firstNew;
          case MERGE -> "IF(l_linenumber % 2 = 0, l_orderkey, l_orderkey + " + firstNew + ")";
          case UPDATE, DELETE ->
              throw new IllegalArgumentException(change + " reads no other table");
        };
    int share = change == Change.MERGE ? round + SHARES / 2 : round;
    return ("SELECT %s AS l_orderkey, '%s' AS l_comment, * EXCEPT (l_orderkey, l_comment) FROM %s"
            + " WHERE %s")
        .formatted(key, COMMENT, generated, share("l_orderkey", share));
  }

  /**
   * The text of a statement.
   *
   * @param source the small table that INSERT and MERGE read
   */
  static String text(Change change, int round, String table, String source) {
    return switch (change) {
      case INSERT -> "INSERT INTO " + table + " BY NAME SELECT * FROM " + source;
      case UPDATE ->
          "UPDATE %s SET l_quantity = l_quantity + 1, l_shipmode = 'NONE' WHERE %s"
              .formatted(table, share("l_partkey", round));
      case DELETE -> "DELETE FROM " + table + " WHERE " + share("l_suppkey", round);
      case MERGE ->
          """
          MERGE INTO %s t USING %s s
          ON t.l_orderkey = s.l_orderkey AND t.l_linenumber = s.l_linenumber
          WHEN MATCHED THEN UPDATE SET l_quantity = s.l_quantity + 1, l_comment = s.l_comment
          WHEN NOT MATCHED THEN INSERT *"""
              .formatted(table, source);
    };
  }

  /** A query for the number of rows, a sum, and a hash over all columns of all rows. */
  static String digest(String table) {
    return "SELECT COUNT(*), SUM(l_quantity), BIT_XOR(XXHASH64(l_orderkey, l_linenumber, l_partkey,"
        + " l_suppkey, l_quantity, l_extendedprice, l_discount, l_tax, l_returnflag, l_linestatus,"
        + " l_shipdate, l_commitdate, l_receiptdate, l_shipinstruct, l_shipmode, l_comment)) FROM "
        + table;
  }

  private static String share(String key, int round) {
    return key + " % " + SHARES + " = " + round % SHARES;
  }
}
