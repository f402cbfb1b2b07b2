package dev.kudu4j.tablet.check;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaFileFooter;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.file.SealedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints a delta file: header, footer, block index and, on request, changes. */
public final class DeltaFileDump {
  private DeltaFileDump() {}

  /**
   * Prints the file.
   *
   * @param maxChanges the number of changes to print; 0 for none
   */
  public static void print(
      TabletEnvironment environment, Path path, long maxChanges, Appendable out)
      throws IOException {
    DeltaFile file = DeltaFile.open(environment.uncached(), path);
    try {
      printHeader(file, out);
      try (DeltaFile.Cursor cursor = file.openCursor()) {
        for (long i = 0; i < maxChanges && cursor.next(); i++) {
          printChange(cursor, out);
        }
      }
    } finally {
      file.release();
    }
  }

  private static void printHeader(DeltaFile file, Appendable out) throws IOException {
    SealedFile sealed = file.sealedFile();
    DeltaFileFooter footer = file.footer();
    line(
        out,
        "%s: %s (%s), format version %d, %d bytes",
        sealed.name(),
        FileKind.DELTA,
        footer.kind(),
        sealed.version(),
        sealed.fileBytes());
    line(
        out,
        "changes %d, of them deletions and reinserts %d, timestamps %d to %d, by column id %s",
        footer.count(),
        footer.livenessChangeCount(),
        footer.minTimestamp(),
        footer.maxTimestamp(),
        footer.columnChanges());
    List<DeltaFileFooter.Block> blocks = footer.blocks();
    for (int i = 0; i < blocks.size(); i++) {
      DeltaFileFooter.Block block = blocks.get(i);
      line(
          out,
          "  block %d: offset %d, bytes %d, changes %d, ordinals %d to %d, timestamps %d to %d",
          i,
          block.location().offset(),
          block.location().bytes(),
          block.count(),
          block.firstOrdinal(),
          block.lastOrdinal(),
          block.minTimestamp(),
          block.maxTimestamp());
    }
  }

  private static void printChange(DeltaFile.Cursor cursor, Appendable out) throws IOException {
    line(
        out,
        "ordinal %d, timestamp %d, sequence %d: %s",
        cursor.ordinal(),
        cursor.timestamp(),
        cursor.sequence(),
        ChangeFormatter.of(cursor.changeAddress(), cursor.changeLength(), Map.of()));
  }

  @FormatMethod
  private static void line(Appendable out, @FormatString String format, Object... args)
      throws IOException {
    out.append(String.format(Locale.ROOT, format, args)).append('\n');
  }
}
