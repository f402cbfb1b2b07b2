package dev.kudu4j.tablet.superblock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.env.SimulatedFileStore;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.proto.SuperblockPB;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class SuperblockFileTest {
  private static final Path DIRECTORY = Path.of("/tablet");

  private final SimulatedFileStore files = new SimulatedFileStore();
  private final SuperblockFile file = new SuperblockFile(files, DIRECTORY);

  private static SuperblockPB superblock() {
    Schema schema =
        new Schema(List.of(ColumnSchema.builder("k", DataType.INT32).id(0).key(true).build()));
    SuperblockPB.Builder message =
        SuperblockPB.newBuilder()
            .setMaxTimestamp(17)
            .setAutoIncrementCounter(3)
            .setNextId(4)
            .setMaxCellBytes(5)
            .setMaxKeyBytes(6);
    SuperblockMessages.setDescriptor(
        message, new TabletDescriptor("t", "u", "name", schema, 2, Map.of("a", new byte[] {1, 2})));
    SuperblockMessages.setPosition(message, new LogPosition(3, 99));
    return message.build();
  }

  @Test
  void aWrittenSuperblockSurvivesPowerLoss() throws IOException {
    file.write(superblock());
    files.crash();
    SuperblockPB read = file.read();
    assertThat(read).isEqualTo(superblock());
    assertThat(SuperblockMessages.position(read)).isEqualTo(new LogPosition(3, 99));
    assertThat(SuperblockMessages.descriptor(read).attributes().get("a")).containsExactly(1, 2);
    assertThat(SuperblockMessages.descriptor(read).schema().column(0).id()).isZero();
  }

  @Test
  void unknownFieldsAreKeptWhenItIsRewritten() throws IOException {
    UnknownFieldSet later =
        UnknownFieldSet.newBuilder()
            .addField(
                4711,
                UnknownFieldSet.Field.newBuilder()
                    .addLengthDelimited(ByteString.copyFromUtf8("later"))
                    .build())
            .build();
    file.write(superblock().toBuilder().setUnknownFields(later).build());
    file.write(file.read().toBuilder().setMaxTimestamp(18).build());
    assertThat(file.read().getUnknownFields()).isEqualTo(later);
  }

  @Test
  void everyFlippedBitIsFound() throws IOException {
    file.write(superblock());
    Path path = DIRECTORY.resolve(SuperblockFile.NAME);
    int bytes = files.readAll(path).length;
    for (int bit = 0; bit < 8 * bytes; bit++) {
      files.flipBit(path, bit);
      assertThatThrownBy(file::read)
          .isInstanceOfSatisfying(
              KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.CORRUPTION))
          .hasMessageContaining(path.toString())
          .hasMessageContaining("offset");
      files.flipBit(path, bit);
    }
    file.read();
  }

  @Test
  void anotherVersionIsNotReportedAsCorruption() throws IOException {
    byte[] frame = SuperblockFile.frame(superblock());
    LittleEndian.putInt(frame, 8, SuperblockFile.VERSION + 1);
    CRC32C crc = new CRC32C();
    crc.update(frame, 0, 16);
    crc.update(frame, MetadataFrame.HEADER_BYTES, frame.length - MetadataFrame.HEADER_BYTES);
    LittleEndian.putInt(frame, 16, (int) crc.getValue());
    files.put(DIRECTORY.resolve(SuperblockFile.NAME), frame);
    assertThatThrownBy(file::read)
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.NOT_SUPPORTED))
        .hasMessageContaining("run the server version that wrote it");
  }

  @Test
  void aMissingSuperblockIsNotFound() {
    assertThatThrownBy(file::read)
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.NOT_FOUND));
  }
}
