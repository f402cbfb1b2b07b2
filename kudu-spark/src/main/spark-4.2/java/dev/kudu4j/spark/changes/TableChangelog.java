package dev.kudu4j.spark.changes;

import dev.kudu4j.spark.KuduOptions;
import dev.kudu4j.spark.catalog.TableDescription;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.connector.catalog.Changelog;
import org.apache.spark.sql.connector.catalog.ChangelogContext;
import org.apache.spark.sql.connector.catalog.ChangelogContext.DeduplicationMode;
import org.apache.spark.sql.connector.catalog.ChangelogRange;
import org.apache.spark.sql.connector.catalog.ChangelogRange.TimestampRange;
import org.apache.spark.sql.connector.catalog.ChangelogRange.VersionRange;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The changes of a table in a range of time, for {@code CHANGES FROM}. An update is two rows that
 * are marked as such, so Spark has nothing to find out about updates; it computes net changes.
 *
 * @param range empty if the statement has none
 * @param net whether Spark computes net changes
 */
record TableChangelog(ChangesTable table, Optional<TimeBounds> range, boolean net)
    implements Changelog {

  /**
   * @throws IllegalArgumentException if a bound is no version
   */
  static Changelog of(ChangesTable table, ChangelogContext context) {
    return new TableChangelog(
        table,
        bounds(table, context.range()),
        context.deduplicationMode() == DeduplicationMode.NET_CHANGES);
  }

  private static Optional<TimeBounds> bounds(ChangesTable table, ChangelogRange range) {
    if (range instanceof VersionRange versions) {
      return Optional.of(
          TimeBounds.ofVersions(
              version(table, versions.startingVersion()),
              versions.startingBoundInclusive(),
              versions.endingVersion().map(end -> version(table, end)),
              versions.endingBoundInclusive()));
    } else if (range instanceof TimestampRange times) {
      return Optional.of(
          TimeBounds.ofTimes(
              times.startingTimestamp(),
              times.startingBoundInclusive(),
              times.endingTimestamp(),
              times.endingBoundInclusive()));
    }
    return Optional.empty();
  }

  private static long version(ChangesTable table, String text) {
    try {
      long version = Long.parseLong(text);
      if (version >= 0) {
        return version;
      }
    } catch (NumberFormatException e) {
      // the same message
    }
    throw new IllegalArgumentException(
        "Table "
            + table.name()
            + " has no version "
            + text
            + "; use a value of "
            + ChangeColumns.VERSION
            + ", or TIMESTAMP");
  }

  @Override
  public String name() {
    return table.name();
  }

  @Override
  public Column[] columns() {
    return table.columns();
  }

  @Override
  public boolean containsCarryoverRows() {
    return false;
  }

  @Override
  public boolean containsIntermediateChanges() {
    return true;
  }

  @Override
  public boolean representsUpdateAsDeleteAndInsert() {
    return false;
  }

  @Override
  public NamedReference[] rowId() {
    return table.keyColumns().stream()
        .map(column -> Expressions.column(TableDescription.quoted(column)))
        .toArray(NamedReference[]::new);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    Map<String, String> all = new HashMap<>(options.asCaseSensitiveMap());
    range.ifPresent(
        bounds -> {
          all.keySet().removeIf(KuduOptions.CHANGES_FROM::equalsIgnoreCase);
          all.put(KuduOptions.CHANGES_FROM, Long.toString(bounds.from()));
        });
    return table.newScanBuilder(
        new CaseInsensitiveStringMap(all), range.orElse(TimeBounds.NONE), noStream());
  }

  /** Why a stream cannot read these changes. */
  private Optional<String> noStream() {
    if (net) { // tablets of new ranges have changes that Spark would drop as late
      return Optional.of("has no net changes; compute them for each batch in foreachBatch");
    }
    return range
        .filter(bounds -> bounds.until() != Long.MAX_VALUE)
        .map(bounds -> "has no end; leave it out");
  }
}
