package dev.kudu4j.tablet.checkpoint;

import com.google.protobuf.ByteString;
import dev.kudu4j.tablet.components.RowSetFiles;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.index.IndexFile;
import dev.kudu4j.tablet.proto.ColumnFilePB;
import dev.kudu4j.tablet.proto.DeltaFilePB;
import dev.kudu4j.tablet.proto.IndexFilePB;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.rowset.BaseData;
import dev.kudu4j.tablet.rowset.ColumnFile;
import java.nio.file.Path;

/** Converts rowset files to their protobuf messages in a superblock. */
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

  /** The message of a rowset; the caller adds the live row count. */
  public static RowSetPB.Builder of(long id, RowSetFiles files) {
    RowSetPB.Builder message = ofBase(id, files.base());
    setFiles(message, files);
    return message;
  }

  /** Replaces all files of the message except the base data. */
  public static void setFiles(RowSetPB.Builder message, RowSetFiles files) {
    message.clearColumnFiles().clearUndoFiles().clearRedoFiles().clearIndexFiles();
    files.columnFiles().forEach(file -> message.addColumnFiles(ofColumns(file)));
    files.undoFiles().forEach(file -> message.addUndoFiles(ofDelta(file)));
    files.redoFiles().forEach(file -> message.addRedoFiles(ofDelta(file)));
    files.indexFiles().forEach(file -> message.addIndexFiles(ofIndex(file)));
  }

  private static ColumnFilePB ofColumns(ColumnFile file) {
    ColumnFilePB.Builder message = ColumnFilePB.newBuilder().setFile(name(file.file()));
    file.columns().forEach(column -> message.addColumnIds(column.column().id()));
    return message.build();
  }

  private static IndexFilePB ofIndex(IndexFile file) {
    IndexFilePB.Builder message =
        IndexFilePB.newBuilder().setFile(name(file.file())).setIndexId(file.indexId());
    file.columns().forEach(column -> message.addColumnIds(column.column().id()));
    return message.build();
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
