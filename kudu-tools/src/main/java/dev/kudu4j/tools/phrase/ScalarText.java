package dev.kudu4j.tools.phrase;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;

/**
 * Reads a string, a number or a boolean as text, because the value of a column may be any of them.
 */
public final class ScalarText extends StdDeserializer<String> {
  private static final long serialVersionUID = 1L;

  public ScalarText() {
    super(String.class);
  }

  @Override
  public String deserialize(JsonParser parser, DeserializationContext context) throws IOException {
    return parser.currentToken().isScalarValue()
        ? parser.getText()
        : (String) context.handleUnexpectedToken(String.class, parser);
  }
}
