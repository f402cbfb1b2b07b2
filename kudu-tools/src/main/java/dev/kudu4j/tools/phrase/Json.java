package dev.kudu4j.tools.phrase;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.kudu4j.common.status.KuduException;

/** Parses JSON from the command line or a file. */
public final class Json {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(JsonParser.Feature.ALLOW_COMMENTS)
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
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
}
