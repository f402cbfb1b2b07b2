package dev.kudu4j.tablet.file;

/** What a block holds. The number stands in the block, so that a stray read is noticed. */
public enum BlockKind {
  COLUMN_PAGE(1),
  KEY_PAGE(2),
  BLOOM_CHUNK(3),
  DELTA_BLOCK(4);

  private final int number;

  BlockKind(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }
}
