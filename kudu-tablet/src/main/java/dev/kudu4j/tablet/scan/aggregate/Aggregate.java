package dev.kudu4j.tablet.scan.aggregate;

/**
 * One number of each group.
 *
 * @param argument what it is of; NULLs do not count. Null for the count of rows
 */
public record Aggregate(Function function, Expression argument) {
  /** What is computed. Without a value that is not NULL, all but the count are null. */
  public enum Function {
    COUNT,
    SUM,
    MIN,
    MAX,
    AVG
  }

  public Aggregate {
    if (argument == null && function != Function.COUNT) {
      throw new IllegalArgumentException(function + " needs an argument");
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
