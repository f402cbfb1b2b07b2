package dev.kudu4j.spark;

import java.io.Serializable;
import java.util.Map;

/**
 * How a {@link KuduContext} writes; {@code new KuduWriteOptions()} and then what shall be
 * different: {@code new KuduWriteOptions().ignoreNull(true)}.
 *
 * @param ignoreDuplicateRowErrors whether an insert of a key that is there counts as done
 * @param ignoreNull whether NULL leaves a column as it is
 * @param repartition whether rows are brought together by partition before they are written
 * @param repartitionSort whether they are then sorted by key
 * @param handleSchemaDrift whether columns that the table lacks are added to it
 */
public record KuduWriteOptions(
    boolean ignoreDuplicateRowErrors,
    boolean ignoreNull,
    boolean repartition,
    boolean repartitionSort,
    boolean handleSchemaDrift)
    implements Serializable {

  /** The defaults. */
  public KuduWriteOptions() {
    this(false, false, false, true, false);
  }

  public KuduWriteOptions ignoreDuplicateRowErrors(boolean value) {
    return new KuduWriteOptions(value, ignoreNull, repartition, repartitionSort, handleSchemaDrift);
  }

  public KuduWriteOptions ignoreNull(boolean value) {
    return new KuduWriteOptions(
        ignoreDuplicateRowErrors, value, repartition, repartitionSort, handleSchemaDrift);
  }

  public KuduWriteOptions repartition(boolean value) {
    return new KuduWriteOptions(
        ignoreDuplicateRowErrors, ignoreNull, value, repartitionSort, handleSchemaDrift);
  }

  public KuduWriteOptions repartitionSort(boolean value) {
    return new KuduWriteOptions(
        ignoreDuplicateRowErrors, ignoreNull, repartition, value, handleSchemaDrift);
  }

  public KuduWriteOptions handleSchemaDrift(boolean value) {
    return new KuduWriteOptions(
        ignoreDuplicateRowErrors, ignoreNull, repartition, repartitionSort, value);
  }

  Map<String, String> asOptions() {
    return Map.of(
        KuduOptions.IGNORE_DUPLICATE_ROW_ERRORS, Boolean.toString(ignoreDuplicateRowErrors),
        KuduOptions.IGNORE_NULL, Boolean.toString(ignoreNull),
        KuduOptions.REPARTITION, Boolean.toString(repartition),
        KuduOptions.REPARTITION_SORT, Boolean.toString(repartitionSort),
        KuduOptions.HANDLE_SCHEMA_DRIFT, Boolean.toString(handleSchemaDrift));
  }
}
