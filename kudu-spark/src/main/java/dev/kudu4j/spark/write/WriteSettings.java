package dev.kudu4j.spark.write;

import dev.kudu4j.spark.KuduOptions;
import java.io.Serializable;
import java.util.Map;

/**
 * How rows are written. Travels to the tasks.
 *
 * @param ignoreNull whether NULL means "leave the column as it is"
 * @param ignoreDuplicates whether an insert of a key that is there counts as done
 * @param repartition whether rows are brought together by tablet first
 * @param sort whether they are then sorted by key
 * @param handleSchemaDrift whether columns that the table lacks are added to it
 */
record WriteSettings(
    WriteOperation operation,
    boolean ignoreNull,
    boolean ignoreDuplicates,
    boolean repartition,
    boolean sort,
    boolean handleSchemaDrift)
    implements Serializable {

  static WriteSettings of(KuduOptions options) {
    return new WriteSettings(
        operation(options),
        options.flag(KuduOptions.IGNORE_NULL, false),
        options.flag(KuduOptions.IGNORE_DUPLICATE_ROW_ERRORS, false),
        options.flag(KuduOptions.REPARTITION, false),
        options.flag(KuduOptions.REPARTITION_SORT, true),
        options.flag(KuduOptions.HANDLE_SCHEMA_DRIFT, false));
  }

  /** Apache Kudu's connector takes insert-ignore for insert_ignore, too. */
  private static WriteOperation operation(KuduOptions options) {
    String said = options.text(KuduOptions.OPERATION, WriteOperation.UPSERT.word());
    return WriteOperation.of(
        options
            .with(Map.of(KuduOptions.OPERATION, said.replace('-', '_')))
            .choice(KuduOptions.OPERATION, WriteOperation.words()));
  }
}
