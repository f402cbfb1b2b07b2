package dev.kudu4j.common.key;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The range of all byte strings that start with a prefix: from the prefix to its end. */
public final class PrefixRange {
  private PrefixRange() {}

  /** The smallest byte string above all strings with the prefix; null if no such string exists. */
  public static byte @Nullable [] end(byte[] prefix) {
    int length = prefix.length;
    while (length > 0 && prefix[length - 1] == (byte) 0xff) {
      length--;
    }
    if (length == 0) {
      return null;
    }
    byte[] end = Arrays.copyOf(prefix, length);
    end[length - 1]++;
    return end;
  }
}
