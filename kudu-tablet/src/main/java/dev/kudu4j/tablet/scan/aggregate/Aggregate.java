package dev.kudu4j.tablet.scan.aggregate;

/**
 * An aggregate function and its argument. It is computed for each group.
 *
 * @param argument the aggregated expression; NULLs are ignored. Null for COUNT(*)
 */
public record Aggregate(Function function, Expression argument) {
  /**
   * The aggregate function. If a group has only NULLs, every function except COUNT returns null.
   */
  public enum Function {
    COUNT,
    SUM,
    MIN,
    MAX,
    AVG
  }

  public Aggregate {
    if (argument == null && function != Function.COUNT) {
      throw new IllegalArgumentException(function + " requires an argument");
    }
  }

  /** COUNT(*). */
  public static Aggregate count() {
    return new Aggregate(Function.COUNT, null);
  }

  public static Aggregate sum(Expression argument) {
    return new Aggregate(Function.SUM, argument);
  }

  public static Aggregate min(Expression argument) {
    return new Aggregate(Function.MIN, argument);
  }

  public static Aggregate max(Expression argument) {
    return new Aggregate(Function.MAX, argument);
  }

  public static Aggregate avg(Expression argument) {
    return new Aggregate(Function.AVG, argument);
  }
}
