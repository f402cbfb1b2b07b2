package dev.kudu4j.tserver.copy;

import dev.kudu4j.common.proto.copy.DataChunkPB;
import dev.kudu4j.common.status.KuduException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Fetches files in chunks. Requests several chunks, also of the following files, before the first
 * chunk has arrived, and delivers the chunks in order. The number of outstanding requests bounds
 * the chunks in memory.
 *
 * <pre>
 *   requested   a0 a1 a2 b0 b1 ...
 *   delivered   a0 | wait for a1 | ...
 * </pre>
 *
 * <p>Used by one thread.
 */
final class ChunkPipeline {
  /** The maximum number of requests for a chunk that arrives corrupt. */
  private static final int TRIES = 3;

  private final CopySource source;
  private final CopySource.Offer offer;
  private final int chunkBytes;
  private final int width;
  private final Deque<Fetch> underWay = new ArrayDeque<>();

  /** Receives fetched chunks. */
  interface Sink {
    /**
     * @param bytes the bytes of the file at the offset; the chunks of a file arrive in order
     * @param last whether this is the last chunk of the file
     */
    void take(String file, long offset, byte[] bytes, boolean last) throws IOException;
  }

  private record Part(String file, long fileBytes, long offset, int length) {
    boolean isLast() {
      return offset + length == fileBytes;
    }

    Part next(int chunkBytes) {
      long from = offset + length;
      return new Part(file, fileBytes, from, (int) Math.min(chunkBytes, fileBytes - from));
    }
  }

  private record Fetch(Part part, CompletableFuture<DataChunkPB> answer) {}

  /**
   * @param width the maximum number of outstanding requests
   */
  ChunkPipeline(CopySource source, CopySource.Offer offer, int chunkBytes, int width) {
    this.source = source;
    this.offer = offer;
    this.chunkBytes = chunkBytes;
    this.width = width;
  }

  /**
   * Fetches the files in sequence.
   *
   * @param files the names of files in the offer
   * @throws KuduException CORRUPTION for a chunk that is corrupt in each attempt; the failure of
   *     the source
   */
  void fetch(List<String> files, Sink sink) throws IOException {
    Map<String, Long> lengths = offer.files();
    Deque<Part> next = new ArrayDeque<>();
    for (String file : files) {
      long bytes = Objects.requireNonNull(lengths.get(file), "the offer has the file");
      next.add(new Part(file, bytes, 0, 0).next(chunkBytes));
    }
    while (!next.isEmpty() || !underWay.isEmpty()) {
      while (underWay.size() < width && !next.isEmpty()) {
        Part part = next.poll();
        underWay.add(ask(part));
        if (!part.isLast()) {
          next.push(part.next(chunkBytes));
        }
      }
      Fetch first = underWay.poll();
      Part part = first.part;
      sink.take(part.file, part.offset, verified(first), part.isLast());
    }
  }

  private Fetch ask(Part part) {
    return new Fetch(part, source.fetch(offer, part.file, part.offset, part.length));
  }

  private byte[] verified(Fetch fetch) {
    Fetch current = fetch;
    for (int attempt = 1; ; attempt++) {
      DataChunkPB chunk = CopySource.join(current.answer);
      String error = wrong(current.part, chunk);
      if (error == null) {
        return chunk.getData().toByteArray();
      }
      if (attempt == TRIES) {
        throw KuduException.corruption(
            "%s at offset %d, received from server %s: %s",
            current.part.file, current.part.offset, source.uuid(), error);
      }
      current = ask(current.part);
    }
  }

  private static @Nullable String wrong(Part part, DataChunkPB chunk) {
    byte[] bytes = chunk.getData().toByteArray();
    int found = SourceSession.checksum(bytes);
    if (found != chunk.getCrc32()) {
      return "checksum of a chunk: expected %08x, found %08x".formatted(chunk.getCrc32(), found);
    }
    if (chunk.getOffset() != part.offset
        || bytes.length != part.length
        || chunk.getTotalDataLength() != part.fileBytes) {
      return "expected %d bytes of %d at %d, found %d of %d at %d"
          .formatted(
              part.length,
              part.fileBytes,
              part.offset,
              bytes.length,
              chunk.getTotalDataLength(),
              chunk.getOffset());
    }
    return null;
  }
}
