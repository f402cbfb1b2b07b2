package dev.kudu4j.common.id;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.status.KuduException;

/**
 * The form of the ids of servers, tables, tablets and clusters: 32 lower-case hexadecimal digits,
 * ASCII on the wire.
 *
 * <p>An id from a request becomes the name of a directory, a key of maps and a part of log lines.
 * Whoever reads one from the wire or from a file of another server checks it here, before it is
 * used for anything.
 */
public final class HexId {
  /** Digits of an id. */
  public static final int LENGTH = 32;

  private HexId() {}

  public static boolean isValid(String id) {
    if (id.length() != LENGTH) {
      return false;
    }
    for (int i = 0; i < LENGTH; i++) {
      if (!isDigit(id.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  public static boolean isValid(ByteString id) {
    if (id.size() != LENGTH) {
      return false;
    }
    for (int i = 0; i < LENGTH; i++) {
      if (!isDigit((char) (id.byteAt(i) & 0xFF))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isDigit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  }

  /**
   * The id that a field holds.
   *
   * @param field its name, for the message
   * @throws KuduException INVALID_ARGUMENT when it is no id
   */
  public static String require(String field, ByteString id) {
    if (!isValid(id)) {
      throw invalid(field, ForeignText.shown(id));
    }
    return id.toStringUtf8();
  }

  /** The same for a field of text. */
  public static String require(String field, String id) {
    if (!isValid(id)) {
      throw invalid(field, ForeignText.shown(id));
    }
    return id;
  }

  private static KuduException invalid(String field, String shown) {
    return KuduException.invalidArgument(
        "%s must be 32 lower-case hexadecimal digits, not %s", field, shown);
  }
}
