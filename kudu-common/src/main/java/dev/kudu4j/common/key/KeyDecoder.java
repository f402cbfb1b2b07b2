package dev.kudu4j.common.key;

import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Decodes encoded keys into cells. */
public final class KeyDecoder {
  private KeyDecoder() {}

  /**
   * Returns the cells of the key columns of {@code schema}, in cell form.
   *
   * @throws KuduException INVALID_ARGUMENT if the key is too short or malformed; bytes after the
   *     key are ignored
   */
  public static byte[][] decode(Schema schema, byte[] encodedKey) {
    List<DataType> types = new ArrayList<>();
    for (int i = 0; i < schema.keyColumnCount(); i++) {
      types.add(schema.column(i).type());
    }
    return decode(types, encodedKey);
  }

  /** Returns the cells of a key whose columns have these types. */
  public static byte[][] decode(List<DataType> types, byte[] encodedKey) {
    byte[][] cells = new byte[types.size()][];
    int at = 0;
    for (int i = 0; i < cells.length; i++) {
      DataType type = types.get(i);
      if (!type.isVariableLength()) {
        cells[i] = decodeFixed(type, encodedKey, at);
        at += type.width();
      } else if (i == cells.length - 1) {
        cells[i] = Arrays.copyOfRange(encodedKey, at, encodedKey.length);
      } else {
        int terminator = terminatorAfter(encodedKey, at);
        cells[i] = unescape(encodedKey, at, terminator);
        at = terminator + 2;
      }
    }
    return cells;
  }

  /**
   * Returns the key without the bytes that follow it, or {@code encodedKey} itself if nothing
   * follows. If the last key column is text, it takes all remaining bytes.
   *
   * @throws KuduException INVALID_ARGUMENT if the key is too short or malformed
   */
  public static byte[] trim(Schema schema, byte[] encodedKey) {
    int at = 0;
    for (int i = 0; i < schema.keyColumnCount(); i++) {
      DataType type = schema.column(i).type();
      if (!type.isVariableLength()) {
        at += type.width();
      } else if (i == schema.keyColumnCount() - 1) {
        return encodedKey;
      } else {
        at = terminatorAfter(encodedKey, at) + 2;
      }
      if (at > encodedKey.length) {
        throw malformed(encodedKey, "it ends in the middle of a column of type " + type);
      }
    }
    return at == encodedKey.length ? encodedKey : Arrays.copyOf(encodedKey, at);
  }

  private static byte[] decodeFixed(DataType type, byte[] key, int at) {
    if (!type.isKeyable()) {
      throw new IllegalArgumentException("A key cannot hold a " + type);
    }
    int width = type.width();
    if (key.length - at < width) {
      throw malformed(key, "it ends in the middle of a column of type " + type);
    }
    byte[] cell = new byte[width];
    for (int i = 0; i < width; i++) {
      cell[i] = key[at + width - 1 - i];
    }
    if (!type.isUnsigned()) {
      cell[width - 1] ^= (byte) 0x80;
    }
    return cell;
  }

  /** Position of the bytes 00 00 that terminate the column that starts at {@code from}. */
  private static int terminatorAfter(byte[] key, int from) {
    int at = from;
    while (at + 1 < key.length) {
      if (key[at] != 0) {
        at++;
      } else if (key[at + 1] == 0) {
        return at;
      } else if (key[at + 1] == 1) {
        at += 2;
      } else {
        throw malformed(key, "byte " + at + " is 00, followed by neither 00 nor 01");
      }
    }
    throw malformed(key, "a text column has no terminator");
  }

  private static byte[] unescape(byte[] key, int from, int to) {
    byte[] cell = new byte[to - from];
    int length = 0;
    for (int i = from; i < to; i++) {
      cell[length++] = key[i];
      if (key[i] == 0) {
        i++; // skip the 01
      }
    }
    return Arrays.copyOf(cell, length);
  }

  private static KuduException malformed(byte[] key, String reason) {
    return KuduException.invalidArgument(
        "Malformed encoded key of %d bytes: %s", key.length, reason);
  }
}
