package dev.kudu4j.common.predicate;

/**
 * The split-block Bloom filter of the wire: 32-byte blocks of eight little-endian words, hashed
 * with FastHash.
 *
 * @param logSpaceBytes log2 of the size of {@code data}
 * @param data the blocks
 * @param alwaysFalse nothing was inserted, nothing matches
 * @param hashSeed seed of the hash
 */
public record BlockBloomFilter(int logSpaceBytes, byte[] data, boolean alwaysFalse, int hashSeed) {

  /**
   * Whether a value that has this hash ({@code FastHash.hash32} of the cell form with the seed) may
   * be in the set.
   */
  public boolean mayContain(int hash) {
    throw new UnsupportedOperationException("stub");
  }
}
