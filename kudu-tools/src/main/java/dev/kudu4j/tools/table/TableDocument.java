package dev.kudu4j.tools.table;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.kudu4j.tools.phrase.Required;
import dev.kudu4j.tools.phrase.ScalarText;
import java.util.List;
import java.util.Map;

/**
 * A table definition as JSON, with the members of Apache Kudu's {@code kudu table create}, and
 * {@code is_without_time_zone} of a column. Members that are absent are null. {@link
 * DefinitionReader} and {@link DefinitionWriter} define the meaning of the members.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record TableDocument(
    @Required String tableName,
    @Required SchemaPart schema,
    Partitioning partition,
    ExtraConfigs extraConfigs,
    String dimensionLabel,
    String owner,
    String comment,
    Integer numReplicas) {
  /** The columns, and the names of the key columns in the order of the key. */
  record SchemaPart(@Required List<Column> columns, @Required List<String> keyColumnNames) {}

  /**
   * @param array whether the column has arrays of {@code columnType}; not in Apache Kudu's
   *     documents
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Column(
      @Required String columnName,
      @Required String columnType,
      TypeAttributes typeAttributes,
      @JsonProperty("is_nullable") Boolean nullable,
      String encoding,
      String compression,
      Integer cfileBlockSize,
      @JsonDeserialize(using = ScalarText.class) String defaultValue,
      String comment,
      @JsonProperty("is_immutable") Boolean immutable,
      @JsonProperty("is_without_time_zone") Boolean withoutTimeZone,
      @JsonProperty("is_array") Boolean array) {}

  /** Precision and scale of a DECIMAL, length of a VARCHAR. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record TypeAttributes(Integer precision, Integer scale, Integer length) {}

  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record Partitioning(List<HashPart> hashPartitions, RangePart rangePartition) {
    Partitioning {
      hashPartitions = orEmpty(hashPartitions);
    }
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record HashPart(@Required List<String> columns, @Required Integer numBuckets, Integer seed) {}

  /**
   * @param columns null if the document does not name them
   */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record RangePart(
      @JsonInclude(JsonInclude.Include.NON_NULL) List<String> columns,
      List<Bounds> rangeBounds,
      List<Split> rangeSplits,
      List<RangeWithHash> customHashSchemaRanges) {
    RangePart {
      rangeBounds = orEmpty(rangeBounds);
      rangeSplits = orEmpty(rangeSplits);
      customHashSchemaRanges = orEmpty(customHashSchemaRanges);
    }
  }

  /** A range; a side without a bound is unbounded. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Bounds(Bound lowerBound, Bound upperBound) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Bound(
      BoundType boundType,
      @Required @JsonDeserialize(contentUsing = ScalarText.class) List<String> boundValues) {}

  enum BoundType {
    @JsonProperty("inclusive")
    INCLUSIVE,
    @JsonProperty("exclusive")
    EXCLUSIVE
  }

  record Split(
      @Required @JsonDeserialize(contentUsing = ScalarText.class) List<String> splitValues) {}

  /** A range with a hash schema of its own. */
  record RangeWithHash(@Required Bounds rangeBounds, @Required List<HashPart> hashSchema) {}

  record ExtraConfigs(@Required Map<String, String> configs) {}

  private static <T> List<T> orEmpty(List<T> list) {
    return list == null ? List.of() : list;
  }
}
