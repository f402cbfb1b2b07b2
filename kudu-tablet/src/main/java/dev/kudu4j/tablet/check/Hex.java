package dev.kudu4j.tablet.check;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Formats bytes for messages and dumps. */
final class Hex {
  private static final int MAX_BYTES = 64;

  private Hex() {}

  static String of(byte @Nullable [] bytes) {
    if (bytes == null) {
      return "none";
    }
    return bytes.length <= MAX_BYTES
        ? "0x" + HexFormat.of().formatHex(bytes)
        : "0x%s... (%d bytes)"
            .formatted(HexFormat.of().formatHex(Arrays.copyOf(bytes, MAX_BYTES)), bytes.length);
  }
}
