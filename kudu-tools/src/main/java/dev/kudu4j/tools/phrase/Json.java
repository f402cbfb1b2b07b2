package dev.kudu4j.tools.phrase;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.SimilarName;
import java.util.Collection;
import java.util.List;

/**
 * Reads and writes JSON of the command line and of files. Records have members in snake case. An
 * error contains the path to the invalid part: {@code schema.columns[2].column_type}.
 */
public final class Json {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .defaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
          .enable(JsonParser.Feature.ALLOW_COMMENTS)
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .withCoercionConfig(
              LogicalType.Textual,
              config ->
                  config
                      .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
          .build();

  private Json() {}

  /**
   * @param what source of the text, for messages: the flag or file
   */
  public static JsonNode parse(String what, String text) {
    try {
      JsonNode node = MAPPER.readTree(text);
      if (!node.isMissingNode()) {
        return node;
      }
      throw KuduException.invalidArgument("%s: the text is empty", what);
    } catch (JsonProcessingException e) {
      var location = e.getLocation();
      throw KuduException.invalidArgument(
          "%s is not valid JSON at line %d, column %d: %s",
          what,
          location == null ? 1 : location.getLineNr(),
          location == null ? 1 : location.getColumnNr(),
          e.getOriginalMessage());
    }
  }

  /**
   * Reads a record.
   *
   * @param what source of the text, for messages: the flag or file
   * @throws KuduException INVALID_ARGUMENT for unknown, missing or invalid members
   */
  public static <T> T read(String what, String text, Class<T> type) {
    JsonNode root = parse(what, text);
    try {
      return MAPPER.treeToValue(root, type);
    } catch (JsonProcessingException e) {
      throw KuduException.invalidArgument("%s: %s", what, reason(e, root));
    }
  }

  /** The JSON of a record, indented. */
  public static String write(Object record) {
    return write(record, MAPPER.writerWithDefaultPrettyPrinter());
  }

  /** The JSON of a record in one line. */
  public static String writeCompact(Object record) {
    return write(record, MAPPER.writer());
  }

  private static String write(Object record, ObjectWriter writer) {
    try {
      return writer.writeValueAsString(record);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Cannot write JSON", e);
    }
  }

  private static String reason(JsonProcessingException failure, JsonNode root) {
    if (!(failure instanceof JsonMappingException invalid)) {
      return failure.getOriginalMessage();
    }
    List<Reference> path = invalid.getPath();
    if (invalid instanceof UnrecognizedPropertyException unknown) {
      List<String> known =
          unknown.getKnownPropertyIds().stream().map(Object::toString).sorted().toList();
      return String.format(
          "%s has an unknown member '%s'; %sthe members are %s",
          text(path.subList(0, path.size() - 1)),
          unknown.getPropertyName(),
          SimilarName.hint(unknown.getPropertyName(), known),
          String.join(", ", known));
    }
    JsonNode node = root.at(pointer(path));
    if (node.isMissingNode()) {
      return text(path) + " is missing";
    }
    return String.format("%s is %s; it must be %s", text(path), node, expectedText(invalid));
  }

  private static String text(List<Reference> path) {
    StringBuilder text = new StringBuilder();
    for (Reference step : path) {
      if (step.getFieldName() == null) {
        text.append('[').append(step.getIndex()).append(']');
      } else {
        text.append(text.isEmpty() ? "" : ".").append(step.getFieldName());
      }
    }
    return text.isEmpty() ? "the whole" : text.toString();
  }

  private static JsonPointer pointer(List<Reference> path) {
    JsonPointer pointer = JsonPointer.empty();
    for (Reference step : path) {
      pointer =
          step.getFieldName() == null
              ? pointer.appendIndex(step.getIndex())
              : pointer.appendProperty(step.getFieldName());
    }
    return pointer;
  }

  private static String expectedText(JsonMappingException invalid) {
    Class<?> type =
        invalid instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
    if (type == null) {
      return "valid: " + invalid.getOriginalMessage();
    } else if (type.isEnum()) {
      return "one of " + values(type);
    } else if (Collection.class.isAssignableFrom(type)) {
      return "an array";
    } else if (type == Integer.class) {
      return "an integer";
    } else if (type == Boolean.class) {
      return "true or false";
    } else {
      return type == String.class ? "a string" : "an object";
    }
  }

  private static List<String> values(Class<?> type) {
    return List.of(type.getEnumConstants()).stream()
        .map(value -> MAPPER.convertValue(value, String.class))
        .toList();
  }
}
