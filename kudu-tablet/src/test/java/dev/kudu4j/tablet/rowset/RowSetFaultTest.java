package dev.kudu4j.tablet.rowset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.check.BaseDataChecker;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaFileTest;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.env.StorageHarness;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Disks that fail, are full or lose unsynced data: nothing leaks, and incomplete files are
 * rejected.
 */
class RowSetFaultTest {
  private static final List<byte[]> KEYS = BaseDataTest.numbered(300);

  @Test
  void aFailureOfAnyCallIsReportedAndLeaksNothing() throws IOException {
    long calls = writeAndRead(0);
    for (int n = 1; n <= calls; n++) {
      int failing = n;
      assertThatThrownBy(() -> writeAndRead(failing))
          .as("call %d of %d", n, calls)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Input/output error");
    }
  }

  /** Writes and reads a rowset and a delta file, with the n-th call failing; returns the calls. */
  private static long writeAndRead(int failing) throws IOException {
    try (StorageHarness harness = new StorageHarness(StorageHarness.pages(512))) {
      harness.files().failCall(failing);
      Path base = harness.path("base");
      RowSetFixture.write(harness, base, KEYS, 100);
      BaseData data = BaseData.open(harness.environment(), base);
      try {
        for (byte[] key : KEYS) {
          assertThat(data.find(key, 0, key.length)).isNotNegative();
        }
        long[] timestamps = new long[KEYS.size()];
        data.readInsertTimestamps(0, KEYS.size(), timestamps);
        assertThat(timestamps[1]).isEqualTo(RowSetFixture.timestamp(1));
      } finally {
        data.release();
      }
      DeltaFileTest.write(harness, harness.path("delta"), DeltaFileWriter.Kind.REDO, 100, 1);
      DeltaFile deltas = DeltaFile.open(harness.environment(), harness.path("delta"));
      try (DeltaFile.Cursor cursor = deltas.openCursor()) {
        long changes = 0;
        while (cursor.next()) {
          changes++;
        }
        assertThat(changes).isEqualTo(100);
      } finally {
        deltas.release();
      }
      return harness.files().calls();
    }
  }

  @Test
  void aFullDiskIsReportedAndLeaksNothing() throws IOException {
    for (int bytes = 0; bytes < 4000; bytes += 250) {
      try (StorageHarness harness = new StorageHarness(StorageHarness.pages(512))) {
        harness.files().fillUpAfter(bytes);
        assertThatThrownBy(() -> RowSetFixture.write(harness, harness.path("base"), KEYS, 100))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("No space left");
      }
    }
  }

  @Test
  void aFinishedAndSyncedRowSetSurvivesACrash() throws IOException {
    try (StorageHarness harness = new StorageHarness(StorageHarness.pages(512))) {
      Path path = harness.path("base");
      RowSetFixture.write(harness, path, KEYS, 100);
      harness.files().crash();
      assertThat(BaseDataChecker.check(harness.environment(), path)).isEmpty();
    }
  }

  @Test
  void aCrashWhileWritingLeavesNoFileThatOpens() throws IOException {
    for (int seed = 0; seed < 100; seed++) {
      try (StorageHarness harness = new StorageHarness(StorageHarness.pages(512))) {
        Path path = harness.path("base");
        DiskRowSetWriter writer =
            new DiskRowSetWriter(harness.environment(), path, RowSetFixture.SCHEMA, 300);
        RowSetFixture.append(harness, writer, KEYS, 0, 300);
        harness.files().crash(new Random(seed));
        writer.close();
        assertThatThrownBy(() -> BaseData.open(harness.environment(), path))
            .isInstanceOfAny(NoSuchFileException.class, KuduException.class);
      }
    }
  }
}
