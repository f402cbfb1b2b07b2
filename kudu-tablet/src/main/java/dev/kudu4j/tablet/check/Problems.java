package dev.kudu4j.tablet.check;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.SealedFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The distinct problems found in one file; at most the first {@value #MOST} are kept. */
final class Problems {
  private static final int MOST = 100;

  private final String file;
  private final Set<String> found = new LinkedHashSet<>();

  Problems(String file) {
    this.file = file;
  }

  /** A part of the check that may fail independently. */
  @FunctionalInterface
  interface Step {
    void run() throws IOException;
  }

  /** Runs a step. A corruption that it reports is added to the problems; an I/O error is thrown. */
  void collect(Step step) throws IOException {
    try {
      step.run();
    } catch (KuduException e) {
      add(String.valueOf(e.getMessage()));
    }
  }

  @FormatMethod
  void add(long offset, @FormatString String format, Object... args) {
    add(
        "%s: corrupt at offset %d: %s"
            .formatted(file, offset, String.format(Locale.ROOT, format, args)));
  }

  void add(String message) {
    if (found.size() < MOST) {
      found.add(message);
    }
  }

  /** Checks that the blocks fill the file from header to footer without gap or overlap. */
  void checkTiling(SealedFile sealed, List<BlockLocation> blocks) {
    List<BlockLocation> sorted = new ArrayList<>(blocks);
    sorted.sort(Comparator.comparingLong(BlockLocation::offset));
    long end = sealed.blocksOffset();
    for (BlockLocation block : sorted) {
      if (block.offset() != end) {
        add(end, "expected a block here, found one at %d", block.offset());
      }
      end = block.offset() + block.bytes();
    }
    if (end != sealed.footerOffset()) {
      add(end, "expected the footer here, found it at %d", sealed.footerOffset());
    }
  }

  List<String> list() {
    return List.copyOf(found);
  }

  /** Throws CORRUPTION if there is a problem. */
  static void throwIfAny(List<String> problems) {
    if (!problems.isEmpty()) {
      throw KuduException.corruption(
          "%d problems; restore this replica from another replica: %s",
          problems.size(), String.join("; ", problems));
    }
  }
}
