package dev.kudu4j.common.predicate;

import dev.kudu4j.common.key.KeyDecoder;
import dev.kudu4j.common.schema.CellText;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import java.util.List;
import java.util.Locale;

/** Formats encoded keys for people: {@code (int32 customer=17, string city="Rome")}. */
public final class KeyText {
  private KeyText() {}

  /**
   * @param schema begins with the key columns
   * @param redacted whether to hide cell values
   */
  public static String of(Schema schema, byte[] encodedKey, boolean redacted) {
    byte[][] cells = KeyDecoder.decode(schema, encodedKey);
    StringBuilder text = new StringBuilder("(");
    for (int i = 0; i < cells.length; i++) {
      ColumnSchema column = schema.column(i);
      text.append(i == 0 ? "" : ", ")
          .append(column.type().name().toLowerCase(Locale.ROOT))
          .append(' ')
          .append(column.name())
          .append('=')
          .append(redacted ? PredicateText.REDACTED : CellText.of(column, cells[i]));
    }
    return text.append(')').toString();
  }

  /**
   * The same for a value that is encoded as a primary key of these columns would be.
   *
   * @param columnIds ids of columns of the schema
   */
  public static String of(
      Schema schema, List<Integer> columnIds, byte[] encodedValue, boolean redacted) {
    List<ColumnSchema> columns =
        columnIds.stream()
            .map(id -> schema.column(schema.indexOfId(id)))
            .map(column -> column.toBuilder().nullable(false).key(true).build())
            .toList();
    return of(new Schema(columns), encodedValue, redacted);
  }
}
