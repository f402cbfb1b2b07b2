package dev.kudu4j.common.array;

import dev.kudu4j.common.status.KuduException;
import java.util.Arrays;
import java.util.function.Function;

/** Formats array cells: {@code [1, NULL, 3]}. */
public final class ArrayText {
  private ArrayText() {}

  /**
   * Returns the text of a cell, or an error message if the cell is malformed.
   *
   * @param element formats an element that is not NULL, given in cell form
   */
  public static String of(ArrayCellReader reader, byte[] cell, Function<byte[], String> element) {
    try {
      reader.open(cell, 0, cell.length);
    } catch (KuduException e) {
      return "(" + e.getMessage() + ")";
    }
    return of(reader, element);
  }

  /** The text of the cell that the reader has opened. */
  public static String of(ArrayCellReader reader, Function<byte[], String> element) {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < reader.count(); i++) {
      text.append(i == 0 ? "" : ", ");
      if (reader.isNull(i)) {
        text.append("NULL");
      } else {
        int at = reader.elementOffset(i);
        text.append(
            element.apply(Arrays.copyOfRange(reader.array(), at, at + reader.elementLength(i))));
      }
    }
    return text.append(']').toString();
  }
}
