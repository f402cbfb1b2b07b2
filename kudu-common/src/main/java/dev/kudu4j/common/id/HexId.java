package dev.kudu4j.common.id;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.status.KuduException;

/**
 * The format of the ids of servers, tables, tablets and clusters: 32 lower-case hexadecimal digits,
 * ASCII on the wire.
 *
 * <p>Ids from requests become names of directories, keys of maps and parts of log lines. Code that
 * reads an id from the wire or from a file of another server must check the id with this class
 * first.
 */
public final class HexId {
  /** Number of digits of an id. */
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
   * Returns the id in a field.
   *
   * @param field name of the field, for the error message
   * @throws KuduException INVALID_ARGUMENT if the field does not contain an id
   */
  public static String require(String field, ByteString id) {
    if (!isValid(id)) {
      throw invalid(field, UntrustedText.format(id));
    }
    return id.toStringUtf8();
  }

  /** Like {@link #require(String, ByteString)}, for an id in a text field. */
  public static String require(String field, String id) {
    if (!isValid(id)) {
      throw invalid(field, UntrustedText.format(id));
    }
    return id;
  }

  private static KuduException invalid(String field, String shown) {
    return KuduException.invalidArgument(
        "%s must be 32 lower-case hexadecimal digits, not %s", field, shown);
  }
}
