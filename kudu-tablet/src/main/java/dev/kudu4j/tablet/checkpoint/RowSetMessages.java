package dev.kudu4j.tablet.checkpoint;

import com.google.protobuf.ByteString;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.proto.DeltaFilePB;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.rowset.BaseData;
import java.nio.file.Path;

/** What a superblock says about files. */
public final class RowSetMessages {
  private RowSetMessages() {}

  public static RowSetPB.Builder ofBase(long id, BaseData base) {
    return RowSetPB.newBuilder()
        .setId(id)
        .setBaseFile(name(base.file()))
        .setRowCount(base.rowCount())
        .setMinKey(ByteString.copyFrom(base.minKey()))
        .setMaxKey(ByteString.copyFrom(base.maxKey()))
        .setMinInsertTimestamp(base.minInsertTimestamp())
        .setMaxInsertTimestamp(base.maxInsertTimestamp());
  }

  public static DeltaFilePB ofDelta(DeltaFile file) {
    return DeltaFilePB.newBuilder()
        .setFile(name(file.file()))
        .setCount(file.count())
        .setLivenessChangeCount(file.livenessChangeCount())
        .setMinTimestamp(file.minTimestamp())
        .setMaxTimestamp(file.maxTimestamp())
        .build();
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }
}
