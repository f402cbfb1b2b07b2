package dev.kudu4j.tablet.cache;

/** Identifies a block of an open file. A file gets a new number each time it is opened. */
record PageKey(FilePages file, long offset) {
  @Override
  public boolean equals(Object other) {
    return other instanceof PageKey key && key.offset == offset && key.file == file;
  }

  @Override
  public int hashCode() {
    long mixed = (file.number() * 0x9e3779b97f4a7c15L + offset) * 0xbf58476d1ce4e5b9L;
    return (int) (mixed >>> 32);
  }
}
