package dev.kudu4j.master.catalog;

import com.google.protobuf.ByteString;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** Ids of tables, tablets and clusters: 32 lower-case hexadecimal digits, ASCII on the wire. */
public final class Ids {
  private static final HexFormat HEX = HexFormat.of();

  private Ids() {}

  public static String random(RandomGenerator random) {
    return HEX.toHexDigits(random.nextLong()) + HEX.toHexDigits(random.nextLong());
  }

  public static ByteString toWire(String id) {
    return ByteString.copyFromUtf8(id);
  }

  public static String fromWire(ByteString id) {
    return id.toStringUtf8();
  }
}
