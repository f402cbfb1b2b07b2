package dev.kudu4j.common.key;

import dev.kudu4j.common.schema.Schema;

/** Turns encoded keys back into cells. */
public final class KeyDecoder {
  private KeyDecoder() {}

  /**
   * The cells, in cell form, of the key columns of {@code schema}.
   *
   * @throws dev.kudu4j.common.status.KuduException INVALID_ARGUMENT when the key is too short or
   *     not well formed; bytes beyond the key are ignored
   */
  public static byte[][] decode(Schema schema, byte[] encodedKey) {
    throw new UnsupportedOperationException("stub");
  }
}
