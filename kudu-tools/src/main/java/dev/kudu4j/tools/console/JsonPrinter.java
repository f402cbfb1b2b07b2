package dev.kudu4j.tools.console;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import dev.kudu4j.tools.cell.ArrayValue;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.List;

/** A JSON array with one object per line. */
final class JsonPrinter implements ListPrinter {
  private final List<ListColumn> columns;
  private final PrintWriter out;
  private final JsonGenerator json;
  private boolean first = true;

  JsonPrinter(List<ListColumn> columns, PrintWriter out) {
    this.columns = columns;
    this.out = out;
    try {
      json =
          new JsonFactory()
              .createGenerator(out)
              .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
              .setPrettyPrinter(new MinimalPrettyPrinter(""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out.print("[");
  }

  @Override
  public void row(List<?> cells) {
    try {
      json.flush();
      out.print(first ? "" : ",\n ");
      first = false;
      json.writeStartObject();
      for (int i = 0; i < columns.size(); i++) {
        json.writeFieldName(columns.get(i).title());
        write(cells.get(i));
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(Object cell) throws IOException {
    if (cell instanceof BigDecimal decimal) {
      json.writeNumber(decimal.toPlainString());
    } else if (cell instanceof Number number && Double.isFinite(number.doubleValue())) {
      json.writeNumber(number.toString());
    } else if (cell instanceof Boolean truth) {
      json.writeBoolean(truth);
    } else if (cell == null) {
      json.writeNull();
    } else if (cell instanceof ArrayValue array) {
      json.writeStartArray();
      for (Object element : array.elements()) {
        write(element);
      }
      json.writeEndArray();
    } else {
      json.writeString(cell.toString());
    }
  }

  @Override
  public void close() {
    try {
      json.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out.println("]");
    out.flush();
  }
}
