package dev.kudu4j.client.cluster;

import java.util.HexFormat;

/** Ranges of encoded partition keys, for messages. An empty key means unbounded. */
public final class PartitionKeyText {
  private PartitionKeyText() {}

  /** A range as text, such as {@code [0x00000001, <end>)}. */
  public static String ofRange(byte[] start, byte[] end) {
    return "[" + of(start, "<start>") + ", " + of(end, "<end>") + ")";
  }

  /** The message for a row whose key no range partition covers. */
  public static String ofGap(byte[] start, byte[] end) {
    return "accessed range partition (" + ofRange(start, end) + ") does not exist in table";
  }

  private static String of(byte[] key, String unbounded) {
    return key.length == 0 ? unbounded : "0x" + HexFormat.of().withUpperCase().formatHex(key);
  }
}
