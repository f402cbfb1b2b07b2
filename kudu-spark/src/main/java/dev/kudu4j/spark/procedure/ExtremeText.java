package dev.kudu4j.spark.procedure;

import dev.kudu4j.ColumnSchema;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;

/** The smallest and the largest value of a column, as procedures show them. */
final class ExtremeText {
  private ExtremeText() {}

  /**
   * @param value as {@code RowResult.getObject} returns it
   * @return for times the local time, in the session's time zone or without time zone as the column
   */
  static String of(ColumnSchema column, Object value) {
    return value instanceof Timestamp time
        ? LocalDateTime.ofInstant(time.toInstant(), zone(column)).toString()
        : value.toString();
  }

  private static ZoneId zone(ColumnSchema column) {
    return column.isWithoutTimeZone()
        ? ZoneOffset.UTC
        : DateTimeUtils.getZoneId(SparkSession.active().conf().get("spark.sql.session.timeZone"));
  }
}
