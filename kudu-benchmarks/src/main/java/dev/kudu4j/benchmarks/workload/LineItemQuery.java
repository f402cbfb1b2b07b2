package dev.kudu4j.benchmarks.workload;

/** Queries of {@code lineitem}. */
public enum LineItemQuery {
  COUNT_ALL("COUNT(*)", "SELECT count(*) FROM lineitem"),
  /** A predicate that neither the key nor the order of the rows helps with. */
  COUNT_48("count of l_quantity = 48", "SELECT count(*) FROM lineitem WHERE l_quantity = 48"),
  /** The rows go to the client, one column of each. */
  FETCH_48(
      "l_partkey of l_quantity = 48, fetched",
      "SELECT l_partkey FROM lineitem WHERE l_quantity = 48"),
  /** TPC-H's query 6, the forecast of revenue change. */
  SIX(
      "TPC-H Q6",
      """
      SELECT sum(l_extendedprice * l_discount) FROM lineitem
      WHERE l_shipdate >= DATE '1994-01-01' AND l_shipdate < DATE '1995-01-01'
      AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24\
      """),
  /** TPC-H's query 1, the pricing summary. */
  ONE(
      "TPC-H Q1",
      """
      SELECT l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice),
      sum(l_extendedprice * (1 - l_discount)),
      sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)),
      avg(l_quantity), avg(l_extendedprice), avg(l_discount), count(*)
      FROM lineitem WHERE l_shipdate <= DATE '1998-09-02'
      GROUP BY l_returnflag, l_linestatus ORDER BY l_returnflag, l_linestatus\
      """);

  private final String title;
  private final String sql;

  LineItemQuery(String title, String sql) {
    this.title = title;
    this.sql = sql;
  }

  public String title() {
    return title;
  }

  /** The query's text. The order of its result is defined. */
  public String sql() {
    return sql;
  }
}
