package dev.kudu4j.tablet.superblock;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.id.UntrustedText;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.proto.AttributePB;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.proto.SuperblockPB;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Converts between the superblock's message and the engine's values. A new superblock is always
 * derived from the previous superblock, so it keeps fields that are unknown to this version.
 */
public final class SuperblockMessages {
  private SuperblockMessages() {}

  public static TabletDescriptor descriptor(SuperblockPB message) {
    Map<String, byte[]> attributes = new TreeMap<>();
    for (AttributePB attribute : message.getAttributesList()) {
      attributes.put(attribute.getName(), attribute.getValue().toByteArray());
    }
    return new TabletDescriptor(
        message.getTabletId(),
        message.getTableId(),
        message.getTableName(),
        SchemaWire.fromWire(message.getSchema()),
        message.getSchemaVersion(),
        Map.copyOf(attributes));
  }

  public static void setDescriptor(SuperblockPB.Builder message, TabletDescriptor descriptor) {
    message
        .setTabletId(descriptor.tabletId())
        .setTableId(descriptor.tableId())
        .setTableName(descriptor.tableName())
        .setSchema(SchemaWire.toWire(descriptor.schema(), true))
        .setSchemaVersion(descriptor.schemaVersion())
        .clearAttributes();
    new TreeMap<>(descriptor.attributes())
        .forEach(
            (name, value) ->
                message.addAttributes(
                    AttributePB.newBuilder().setName(name).setValue(ByteString.copyFrom(value))));
  }

  /**
   * Validates the file names in a superblock, which may come from another server, before they
   * become paths.
   *
   * @param source the file that the superblock was read from, or its sender; for the error message
   * @throws KuduException CORRUPTION if a file name is not a valid data file name
   */
  public static void checkNames(SuperblockPB message, Object source) {
    for (String name : fileNames(message)) {
      if (!NamedFile.isValidName(name)) {
        throw KuduException.corruption(
            "The superblock from %s references %s, which is not a valid data file name",
            source, UntrustedText.format(name));
      }
    }
  }

  public static LogPosition position(SuperblockPB message) {
    return new LogPosition(message.getLogTerm(), message.getLogIndex());
  }

  public static void setPosition(SuperblockPB.Builder message, LogPosition position) {
    message.setLogTerm(position.term()).setLogIndex(position.index());
  }

  /** The names of all data files that the superblock references. */
  public static Set<String> fileNames(SuperblockPB message) {
    Set<String> names = new HashSet<>();
    for (RowSetPB rowSet : message.getRowSetsList()) {
      names.add(rowSet.getBaseFile());
      rowSet.getColumnFilesList().forEach(file -> names.add(file.getFile()));
      rowSet.getUndoFilesList().forEach(file -> names.add(file.getFile()));
      rowSet.getRedoFilesList().forEach(file -> names.add(file.getFile()));
      rowSet.getIndexFilesList().forEach(file -> names.add(file.getFile()));
    }
    names.addAll(message.getStagedFilesList());
    return names;
  }
}
