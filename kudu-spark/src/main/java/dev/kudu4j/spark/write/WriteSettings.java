package dev.kudu4j.spark.write;

import dev.kudu4j.spark.KuduOptions;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * How rows are written. Serialized to the tasks.
 *
 * @param columns the columns to write besides the key, those of the table that are not named stay
 *     unset; empty for all
 * @param ignoreNull whether NULL leaves the column unchanged
 * @param ignoreDuplicates whether an insert of an existing key succeeds
 * @param repartition whether rows are shuffled by tablet first
 * @param sort whether the shuffled rows are sorted by key
 * @param handleSchemaDrift whether columns that the table lacks are added to the table
 * @param atomic whether all rows of the job become visible at once
 */
record WriteSettings(
    WriteOperation operation,
    List<String> columns,
    boolean ignoreNull,
    boolean ignoreDuplicates,
    boolean repartition,
    boolean sort,
    boolean handleSchemaDrift,
    boolean atomic)
    implements Serializable {

  static WriteSettings of(KuduOptions options) {
    return new WriteSettings(
        operation(options),
        options.names(KuduOptions.WRITTEN_COLUMNS),
        options.flag(KuduOptions.IGNORE_NULL, false),
        options.flag(KuduOptions.IGNORE_DUPLICATE_ROW_ERRORS, false),
        options.flag(KuduOptions.REPARTITION, false),
        options.flag(KuduOptions.REPARTITION_SORT, true),
        options.flag(KuduOptions.HANDLE_SCHEMA_DRIFT, false),
        options.atomic());
  }

  /** Like Apache Kudu's connector, also accepts insert-ignore for insert_ignore. */
  private static WriteOperation operation(KuduOptions options) {
    String operation = options.text(KuduOptions.OPERATION, WriteOperation.UPSERT.optionValue());
    return WriteOperation.of(
        options
            .with(Map.of(KuduOptions.OPERATION, operation.replace('-', '_')))
            .choice(KuduOptions.OPERATION, WriteOperation.optionValues()));
  }
}
