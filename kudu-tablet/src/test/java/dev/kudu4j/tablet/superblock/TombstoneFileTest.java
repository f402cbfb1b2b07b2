package dev.kudu4j.tablet.superblock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.env.SimulatedFileStore;
import dev.kudu4j.tablet.proto.TombstonePB;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TombstoneFileTest {
  private static final Path DIRECTORY = Path.of("/tablet");

  private final SimulatedFileStore files = new SimulatedFileStore();
  private final TombstoneFile file = new TombstoneFile(files, DIRECTORY);

  private static TombstonePB tombstone() {
    TombstonePB.Builder message =
        TombstonePB.newBuilder()
            .setTabletId("t")
            .setLastLoggedTerm(3)
            .setLastLoggedIndex(99)
            .setReason("a test");
    message.getCopyBuilder().setSourceUuid("s").setLineage(-7);
    message.getCopyBuilder().addFilesBuilder().setName("f").setBytes(17);
    return message.build();
  }

  @Test
  void aWrittenTombstoneSurvivesPowerLoss() throws IOException {
    file.write(tombstone());
    files.crash();
    assertThat(file.read()).isEqualTo(tombstone());
  }

  @Test
  void aDeletedTombstoneStaysDeletedAfterPowerLoss() throws IOException {
    file.write(tombstone());
    file.delete();
    files.crash();
    assertThat(file.exists()).isFalse();
  }

  @Test
  void everyFlippedBitIsFound() throws IOException {
    file.write(tombstone());
    Path path = DIRECTORY.resolve(TombstoneFile.NAME);
    for (int bit = 0; bit < 8 * files.readAll(path).length; bit++) {
      files.flipBit(path, bit);
      assertThatThrownBy(file::read)
          .isInstanceOfSatisfying(
              KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.CORRUPTION));
      files.flipBit(path, bit);
    }
  }

  @Test
  void anotherFileIsNotATombstone() throws IOException {
    files.put(DIRECTORY.resolve(TombstoneFile.NAME), new byte[40]);
    assertThatThrownBy(file::read).hasMessageContaining("is not a tombstone");
  }
}
