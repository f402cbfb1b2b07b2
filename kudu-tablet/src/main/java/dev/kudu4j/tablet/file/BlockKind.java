package dev.kudu4j.tablet.file;

/**
 * The kind of a block's content. A block's header contains {@link #number}, so a read at a wrong
 * offset is detected.
 */
public enum BlockKind {
  COLUMN_PAGE(1),
  KEY_PAGE(2),
  BLOOM_CHUNK(3),
  DELTA_BLOCK(4),
  STAGED_ROWS(5);

  private final int number;

  BlockKind(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }
}
