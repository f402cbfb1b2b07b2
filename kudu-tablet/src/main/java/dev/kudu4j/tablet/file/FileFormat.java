package dev.kudu4j.tablet.file;

/**
 * Constants of the frame of all data files.
 *
 * <pre>
 *   header   magic 8 | kind u16 | version u16 | crc32c of these 12 bytes u32
 *   blocks   compression u8 | block kind u8 | 0 u16 | body bytes i32 | stored body
 *            | crc32c of the block up to here ^ low 32 bits of the block's offset u32
 *   footer   defined by the file's kind
 *   trailer  footer bytes i32 | footer crc32c u32 | file bytes i64 | kind u16 | version u16
 *            | crc32c of these 20 bytes u32 | magic 8
 * </pre>
 *
 * <p>Little-endian, no padding: blocks are contiguous from the header to the footer.
 */
final class FileFormat {
  /** "KUDU4J\r\n": a transfer in text mode would change the line break, so it is detected. */
  static final long HEADER_MAGIC = 0x0a0d_4a34_5544_554bL;

  /** "SEALED4J". */
  static final long TRAILER_MAGIC = 0x4a34_4445_4c41_4553L;

  static final int HEADER_BYTES = 16;
  static final int TRAILER_BYTES = 32;
  static final int BLOCK_HEADER_BYTES = 8;
  static final int BLOCK_CHECKSUM_BYTES = 4;
  static final int BLOCK_FRAME_BYTES = BLOCK_HEADER_BYTES + BLOCK_CHECKSUM_BYTES;

  /** The compression number of an uncompressed body; other numbers identify a codec. */
  static final int STORED = 0;

  /**
   * Larger bodies are stored uncompressed. A reader rejects a compressed body with a larger length,
   * so a corrupt length cannot make it allocate more memory.
   */
  static final int MAX_COMPRESSED_BODY_BYTES = 64 << 20;

  private FileFormat() {}
}
