package dev.kudu4j.server.replica.members;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.common.proto.replication.MemberNotePB;
import dev.kudu4j.common.proto.replication.MemberNotesPB;
import dev.kudu4j.common.status.KuduException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Information about a tablet's members that Raft's configuration does not hold: which servers are
 * joining, which will be promoted, which will be replaced. The information is an attribute of the
 * tablet's descriptor, and is therefore logged, flushed and copied with the tablet.
 * docs/design/membership.md explains why it is not stored elsewhere.
 *
 * <p>Immutable.
 */
public record MemberNotes(Map<String, Note> byServer) {
  static final MemberNotes NONE = new MemberNotes(Map.of());

  /** Name of the attribute. */
  public static final String ATTRIBUTE = "kudu4j.members";

  /**
   * The note about one server.
   *
   * @param rpcAddress host:port; empty if unknown
   * @param joining whether the server is joining; ignored while the server is in Raft's
   *     configuration
   */
  record Note(
      String serverUuid, String rpcAddress, boolean joining, boolean promote, boolean replace) {
    static Note none(String serverUuid) {
      return new Note(serverUuid, "", false, false, false);
    }

    Note joining(boolean now) {
      return new Note(serverUuid, rpcAddress, now, promote, replace);
    }

    Note promote(boolean now) {
      return new Note(serverUuid, rpcAddress, joining, now, replace);
    }

    Note replace(boolean now) {
      return new Note(serverUuid, rpcAddress, joining, promote, now);
    }

    boolean saysNothing() {
      return !joining && !promote && !replace;
    }
  }

  public MemberNotes {
    byServer = Map.copyOf(byServer);
  }

  /**
   * @param value value of the attribute; null if absent
   */
  public static MemberNotes decode(byte @Nullable [] value) {
    if (value == null) {
      return NONE;
    }
    try {
      Map<String, Note> notes = new TreeMap<>();
      for (MemberNotePB note : MemberNotesPB.parseFrom(value).getMembersList()) {
        String uuid = note.getServerUuid().toStringUtf8();
        notes.put(
            uuid,
            new Note(
                uuid,
                note.getRpcAddress(),
                note.getJoining(),
                note.getPromote(),
                note.getReplace()));
      }
      return new MemberNotes(notes);
    } catch (InvalidProtocolBufferException e) {
      throw KuduException.corruption(
          "The notes on a tablet's members cannot be read: %s", String.valueOf(e.getMessage()));
    }
  }

  byte[] encode() {
    MemberNotesPB.Builder message = MemberNotesPB.newBuilder();
    for (Note note : new TreeMap<>(byServer).values()) {
      message.addMembers(
          MemberNotePB.newBuilder()
              .setServerUuid(ByteString.copyFromUtf8(note.serverUuid))
              .setRpcAddress(note.rpcAddress)
              .setJoining(note.joining)
              .setPromote(note.promote)
              .setReplace(note.replace));
    }
    return message.build().toByteArray();
  }

  Optional<Note> find(String serverUuid) {
    return Optional.ofNullable(byServer.get(serverUuid));
  }

  /**
   * A copy of these notes with the note about one server changed. A note without information is
   * omitted.
   */
  MemberNotes with(String serverUuid, UnaryOperator<Note> change) {
    Map<String, Note> changed = new TreeMap<>(byServer);
    Note note = change.apply(byServer.getOrDefault(serverUuid, Note.none(serverUuid)));
    if (note.saysNothing()) {
      changed.remove(serverUuid);
    } else {
      changed.put(serverUuid, note);
    }
    return new MemberNotes(changed);
  }

  /** The notes about servers that are in {@code configuration} or joining. */
  MemberNotes onlyOf(Collection<String> configuration) {
    Map<String, Note> kept = new TreeMap<>(byServer);
    kept.values().removeIf(n -> !n.joining && !configuration.contains(n.serverUuid));
    return new MemberNotes(kept);
  }
}
