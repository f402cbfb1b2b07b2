package dev.kudu4j.tablet.superblock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.checkpoint.FileNames;
import dev.kudu4j.tablet.env.LocalFileStore;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.proto.SuperblockPB;
import java.io.IOException;
import java.nio.file.Path;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuperblockNamesTest {
  @TempDir Path directory;

  @Property(tries = 200)
  void everyNameThatIsGivenOutIsValid(
      @ForAll @LongRange(min = 0) long rowSet, @ForAll @LongRange(min = 0) long file) {
    assertThat(NamedFile.isValidName(FileNames.base(rowSet))).isTrue();
    assertThat(NamedFile.isValidName(FileNames.redo(rowSet, file))).isTrue();
    assertThat(NamedFile.isValidName(FileNames.undo(rowSet, file))).isTrue();
    assertThat(NamedFile.isValidName(FileNames.columns(rowSet, file))).isTrue();
    assertThat(NamedFile.isValidName(FileNames.index(rowSet, file))).isTrue();
    assertThat(NamedFile.isValidName(FileNames.staged(file))).isTrue();
  }

  @Property(tries = 500)
  void aValidNameIsAFileOfTheDirectory(@ForAll String name) {
    if (NamedFile.isValidName(name)) {
      assertThat(Path.of("/d").resolve(name).normalize().getParent()).isEqualTo(Path.of("/d"));
    }
  }

  @Example
  void othersAreNot() {
    for (String name :
        new String[] {
          "",
          ".",
          "..",
          "superblock",
          "tombstone",
          "/home/u/.ssh/authorized_keys",
          "../rowset-0000000001.base",
          "rowset-0000000001.base/../../x",
          "rowset-0000000001.base\n",
          "rowset-0000000001.exe"
        }) {
      assertThat(NamedFile.isValidName(name)).as(name).isFalse();
    }
  }

  @Test
  void aSuperblockThatNamesAnotherFileIsCorrupt() throws IOException {
    SuperblockFile file = new SuperblockFile(new LocalFileStore(), directory);
    file.write(
        SuperblockPB.newBuilder()
            .setTabletId("t")
            .setTableId("t")
            .setTableName("t")
            .setSchema(SchemaPB.getDefaultInstance())
            .setSchemaVersion(0)
            .setLogTerm(0)
            .setLogIndex(0)
            .setMaxTimestamp(0)
            .setAutoIncrementCounter(0)
            .setNextId(2)
            .setMaxCellBytes(1)
            .setMaxKeyBytes(1)
            .addRowSets(
                RowSetPB.newBuilder()
                    .setId(1)
                    .setBaseFile("/home/u/.ssh/authorized_keys")
                    .setRowCount(1)
                    .setMinKey(ByteString.EMPTY)
                    .setMaxKey(ByteString.EMPTY)
                    .setMinInsertTimestamp(0)
                    .setMaxInsertTimestamp(0)
                    .setLiveRowCount(1))
            .build());
    assertThatThrownBy(file::read)
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("references '/home/u/.ssh/authorized_keys'");
  }
}
