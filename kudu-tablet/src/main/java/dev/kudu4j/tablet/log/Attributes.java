package dev.kudu4j.tablet.log;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The encoding of the attributes of a tablet's descriptor that a log entry changes.
 *
 * <pre>
 *   count u32 | each: name bytes u32 | name UTF-8 | value bytes u32 | value
 * </pre>
 */
final class Attributes {
  private Attributes() {}

  static long bytes(Map<String, byte[]> attributes) {
    long bytes = 4;
    for (Map.Entry<String, byte[]> attribute : attributes.entrySet()) {
      bytes += 8L + attribute.getKey().getBytes(StandardCharsets.UTF_8).length;
      bytes += attribute.getValue().length;
    }
    return bytes;
  }

  static void write(Map<String, byte[]> attributes, EntryWriter out) {
    out.i32(attributes.size());
    attributes.forEach(
        (name, value) -> {
          write(name.getBytes(StandardCharsets.UTF_8), out);
          write(value, out);
        });
  }

  private static void write(byte[] bytes, EntryWriter out) {
    out.i32(bytes.length);
    out.raw(bytes, 0, bytes.length);
  }

  static Map<String, byte[]> read(EntryReader in) {
    Map<String, byte[]> attributes = new TreeMap<>();
    for (int left = in.i32(); left > 0; left--) {
      String name = in.text(in.i32());
      int length = in.i32();
      int offset = in.take(length);
      attributes.put(name, Arrays.copyOfRange(in.array(), offset, offset + length));
    }
    return attributes;
  }
}
