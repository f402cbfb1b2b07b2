package dev.kudu4j.tools.cell;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An array as {@link CellWriter} returns it. Its text is JSON, which {@link CellReader} can parse:
 * {@code [1, null, 3]}.
 *
 * @param elements numbers, booleans and strings; null for NULL
 */
public record ArrayValue(List<?> elements) {
  @Override
  public String toString() {
    return elements.stream().map(ArrayValue::text).collect(Collectors.joining(", ", "[", "]"));
  }

  private static String text(Object element) {
    boolean bare =
        element == null
            || element instanceof Boolean
            || (element instanceof Number number && Double.isFinite(number.doubleValue()));
    return bare
        ? String.valueOf(element)
        : '"' + new String(JsonStringEncoder.getInstance().quoteAsString(element.toString())) + '"';
  }
}
