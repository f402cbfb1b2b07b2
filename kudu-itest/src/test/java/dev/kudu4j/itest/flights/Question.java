package dev.kudu4j.itest.flights;

import static org.apache.kudu.client.KuduPredicate.ComparisonOp.EQUAL;
import static org.apache.kudu.client.KuduPredicate.ComparisonOp.GREATER;
import static org.apache.kudu.client.KuduPredicate.ComparisonOp.GREATER_EQUAL;
import static org.apache.kudu.client.KuduPredicate.ComparisonOp.LESS;
import static org.apache.kudu.client.KuduPredicate.ComparisonOp.LESS_EQUAL;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.apache.kudu.Schema;
import org.apache.kudu.client.KuduPredicate;

/** A filter in two forms: a query to the cluster, and a plain pass over the rows. */
public record Question(String text, List<Condition> conditions) {

  /** One condition of a filter. */
  public record Condition(
      String column,
      java.util.function.Function<org.apache.kudu.ColumnSchema, KuduPredicate> wire,
      Predicate<Object> plain) {}

  public List<KuduPredicate> predicates(Schema schema) {
    List<KuduPredicate> predicates = new ArrayList<>();
    for (Condition condition : conditions) {
      predicates.add(condition.wire().apply(schema.getColumn(condition.column())));
    }
    return predicates;
  }

  public boolean matches(Object[] row) {
    for (Condition condition : conditions) {
      if (!condition.plain().test(row[Flights.column(condition.column())])) {
        return false;
      }
    }
    return true;
  }

  private static Question ask(String text, Condition... conditions) {
    return new Question(text, List.of(conditions));
  }

  private static Condition compare(String column, KuduPredicate.ComparisonOp op, Object value) {
    return new Condition(
        column,
        schema -> KuduPredicate.newComparisonPredicate(schema, op, value),
        cell -> cell != null && holds(op, ordering(cell, value)));
  }

  private static int ordering(Object cell, Object value) {
    if (cell instanceof String text) {
      return text.compareTo((String) value);
    }
    if (cell instanceof Double || cell instanceof Float) {
      return Double.compare(((Number) cell).doubleValue(), ((Number) value).doubleValue());
    }
    return Long.compare(((Number) cell).longValue(), ((Number) value).longValue());
  }

  private static boolean holds(KuduPredicate.ComparisonOp op, int order) {
    return switch (op) {
      case EQUAL -> order == 0;
      case GREATER -> order > 0;
      case GREATER_EQUAL -> order >= 0;
      case LESS -> order < 0;
      case LESS_EQUAL -> order <= 0;
    };
  }

  private static Condition in(String column, Object... values) {
    return new Condition(
        column,
        schema -> KuduPredicate.newInListPredicate(schema, Arrays.asList(values)),
        cell -> cell != null && Arrays.asList(values).contains(cell));
  }

  private static Condition isNull(String column) {
    return new Condition(column, KuduPredicate::newIsNullPredicate, cell -> cell == null);
  }

  private static Condition isNotNull(String column) {
    return new Condition(column, KuduPredicate::newIsNotNullPredicate, cell -> cell != null);
  }

  private static long micros(String instant) {
    return java.time.Instant.parse(instant).toEpochMilli() * 1000;
  }

  /**
   * Twenty filters, over every type of the table, key and non-key columns, nulls, and empty
   * results.
   */
  public static final List<Question> TWENTY =
      List.of(
          ask("carrier = 'UA'", compare("carrier", EQUAL, "UA")),
          ask("carrier = 'ZZ'", compare("carrier", EQUAL, "ZZ")),
          ask("carrier in (AA, B6, HA)", in("carrier", "AA", "B6", "HA")),
          ask("time_hour < 2013-02-01", compare("time_hour", LESS, micros("2013-02-01T00:00:00Z"))),
          ask(
              "a week of July",
              compare("time_hour", GREATER_EQUAL, micros("2013-07-01T00:00:00Z")),
              compare("time_hour", LESS, micros("2013-07-08T00:00:00Z"))),
          ask("flight = 1545", compare("flight", EQUAL, 1545)),
          ask("flight > 6000", compare("flight", GREATER, 6000)),
          ask(
              "origin = 'JFK' and dest = 'LAX'",
              compare("origin", EQUAL, "JFK"),
              compare("dest", EQUAL, "LAX")),
          ask("month <= 2", compare("month", LESS_EQUAL, (byte) 2)),
          ask(
              "day = 31 and month = 12",
              compare("day", EQUAL, (byte) 31),
              compare("month", EQUAL, (byte) 12)),
          ask("dep_time is null", isNull("dep_time")),
          ask(
              "arr_delay is not null and arr_delay >= 300",
              isNotNull("arr_delay"),
              compare("arr_delay", GREATER_EQUAL, 300f)),
          ask(
              "dep_delay between -5 and 0",
              compare("dep_delay", GREATER_EQUAL, -5.0),
              compare("dep_delay", LESS_EQUAL, 0.0)),
          ask("tailnum = 'N14228'", compare("tailnum", EQUAL, "N14228")),
          ask("tailnum is null", isNull("tailnum")),
          ask("tailnum > 'N9'", compare("tailnum", GREATER, "N9")),
          ask("distance in (200, 1400, 2475)", in("distance", 200L, 1400L, 2475L)),
          ask("air_time > 600", compare("air_time", GREATER, 600L)),
          ask(
              "hour < 6 and minute = 0",
              compare("hour", LESS, (byte) 6),
              compare("minute", EQUAL, (byte) 0)),
          ask(
              "late ones of EV from EWR",
              compare("carrier", EQUAL, "EV"),
              compare("origin", EQUAL, "EWR"),
              compare("dep_delay", GREATER, 120.0),
              compare("sched_arr_time", LESS, (short) 2000)));
}
