package dev.kudu4j.tablet.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The simulated store has the documented faults, and no others. */
class SimulatedFileStoreTest {
  private static final Path DIRECTORY = Path.of("/d");
  private static final Path FILE = DIRECTORY.resolve("f");

  private final SimulatedFileStore files = new SimulatedFileStore();

  private WritableFile create(String content) throws IOException {
    WritableFile file = files.create(FILE);
    append(file, content);
    return file;
  }

  private static void append(WritableFile file, String content) throws IOException {
    file.append(content.getBytes(java.nio.charset.StandardCharsets.UTF_8), 0, content.length());
  }

  @Test
  void crashForgetsBytesThatWereNotSynced() throws IOException {
    WritableFile file = create("abc");
    file.sync();
    files.syncDirectory(DIRECTORY);
    append(file, "def");
    assertThat(files.readAll(FILE)).hasSize(6);
    files.crash();
    assertThat(files.readAll(FILE)).containsExactly('a', 'b', 'c');
    assertThatThrownBy(() -> append(file, "x")).hasMessageContaining("lost power");
  }

  @Test
  void crashForgetsEntriesWhoseDirectoryWasNotSynced() throws IOException {
    create("abc").sync();
    files.crash();
    assertThat(files.exists(FILE)).isFalse();
    assertThat(files.list(DIRECTORY)).isEmpty();
  }

  @Test
  void crashUndoesRemovalsWhoseDirectoryWasNotSynced() throws IOException {
    create("abc").sync();
    files.syncDirectory(DIRECTORY);
    files.delete(FILE);
    files.crash();
    assertThat(files.readAll(FILE)).hasSize(3);
    files.delete(FILE);
    files.syncDirectory(DIRECTORY);
    files.crash();
    assertThat(files.exists(FILE)).isFalse();
  }

  @Test
  void replaceIsDurableAtOnce() throws IOException {
    files.replace(FILE, new byte[] {1, 2});
    files.crash();
    assertThat(files.readAll(FILE)).containsExactly(1, 2);
  }

  @Test
  void aTornWriteKeepsItsFirstHalf() throws IOException {
    WritableFile file = create("abc");
    file.sync();
    append(file, "defghi");
    files.crashTearingLastWrite(FILE);
    assertThat(files.readAll(FILE)).containsExactly('a', 'b', 'c', 'd', 'e', 'f');
  }

  @Test
  void aCrashByChanceNeverLosesWhatWasSynced() throws IOException {
    for (int seed = 0; seed < 50; seed++) {
      SimulatedFileStore store = new SimulatedFileStore();
      WritableFile file = store.create(FILE);
      append(file, "abc");
      file.sync();
      store.syncDirectory(DIRECTORY);
      append(file, "def");
      store.create(DIRECTORY.resolve("g"));
      store.crash(new Random(seed));
      assertThat(store.readAll(FILE)).startsWith('a', 'b', 'c').hasSizeBetween(3, 6);
    }
  }

  @Test
  void theDiskFillsUp() throws IOException {
    files.fillUpAfter(4);
    WritableFile file = create("abc");
    assertThatThrownBy(() -> append(file, "de")).hasMessageContaining("No space left");
    assertThat(file.position()).as("with half of what failed").isEqualTo(4);
    append(file, "d");
    assertThat(file.position()).isEqualTo(5);
  }

  @Test
  void theChosenCallFailsOnce() throws IOException {
    files.failCall(2);
    WritableFile file = files.create(FILE);
    assertThatThrownBy(() -> append(file, "a")).hasMessageContaining("Input/output error");
    append(file, "a");
  }

  @Test
  void openFilesAreCounted() throws IOException {
    WritableFile file = create("abc");
    ReadableFile reader = files.open(FILE);
    assertThat(files.openFiles()).isEqualTo(2);
    file.close();
    reader.close();
    reader.close();
    assertThat(files.openFiles()).isZero();
  }

  @Test
  void bitsFlipAndFilesAreCut() throws IOException {
    create("abc").sync();
    files.flipBit(FILE, 8);
    assertThat(files.readAll(FILE)).containsExactly('a', 'c', 'c');
    files.truncate(FILE, 1);
    assertThat(files.readAll(FILE)).containsExactly('a');
  }
}
