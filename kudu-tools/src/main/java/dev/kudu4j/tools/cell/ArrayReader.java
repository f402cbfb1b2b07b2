package dev.kudu4j.tools.cell;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.common.status.KuduException;
import java.util.Optional;

/** Parses the text of an array: a JSON array whose values {@link CellReader} parses. */
final class ArrayReader {
  static final String FORM = "it must be a JSON array such as [1, null, 3]";

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private ArrayReader() {}

  /**
   * The elements, each as {@link CellReader} returns it, or null for NULL; empty if the text is not
   * a JSON array of scalars.
   *
   * @throws KuduException INVALID_ARGUMENT for an element that is not of the column's type
   */
  static Optional<Object[]> read(ColumnSchema column, String text) {
    Optional<JsonNode> array = array(text);
    if (array.isEmpty()) {
      return Optional.empty();
    }
    ColumnSchema element = ColumnSchema.of(column.toCommon().element());
    Object[] values = new Object[array.get().size()];
    for (int i = 0; i < values.length; i++) {
      JsonNode value = array.get().get(i);
      if (value.isContainerNode()) {
        return Optional.empty();
      }
      values[i] = value.isNull() ? null : CellReader.read(element, value.asText());
    }
    return Optional.of(values);
  }

  private static Optional<JsonNode> array(String text) {
    try {
      return Optional.of(MAPPER.readTree(text)).filter(JsonNode::isArray);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
