package dev.kudu4j.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.client.feed.FeedPlace;
import dev.kudu4j.common.proto.client.ChangePositionPB;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A position in the change feed of a table: behind the changes that a reader has got. Everything
 * that a consumer must keep to go on later, in any process and with any replicas.
 */
public final class KuduChangePosition {
  private final String tableId;
  private final Map<String, FeedPlace> places;

  /**
   * @param places by tablet id
   */
  KuduChangePosition(String tableId, Map<String, FeedPlace> places) {
    this.tableId = tableId;
    this.places = new TreeMap<>(places);
  }

  String tableId() {
    return tableId;
  }

  Map<String, FeedPlace> places() {
    return places;
  }

  /** The position as text, for {@link #parse}. */
  public String serialize() {
    ChangePositionPB.Builder message =
        ChangePositionPB.newBuilder().setTableId(ByteString.copyFromUtf8(tableId));
    places.forEach(
        (id, place) -> {
          ChangePositionPB.TabletPB.Builder tablet =
              message
                  .addTabletsBuilder()
                  .setTabletId(ByteString.copyFromUtf8(id))
                  .setTimestamp(place.timestamp());
          if (place.afterKey() != null) {
            tablet.setAfterKey(ByteString.copyFrom(place.afterKey()));
          }
        });
    return Base64.getUrlEncoder().withoutPadding().encodeToString(message.build().toByteArray());
  }

  /**
   * Reads what {@link #serialize} has written.
   *
   * @throws IllegalArgumentException for any other text
   */
  public static KuduChangePosition parse(String text) {
    ChangePositionPB message;
    try {
      message = ChangePositionPB.parseFrom(Base64.getUrlDecoder().decode(text.strip()));
    } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
      throw new IllegalArgumentException("Not a position in a change feed: " + text, e);
    }
    if (!message.hasTableId()) {
      throw new IllegalArgumentException("Not a position in a change feed: " + text);
    }
    Map<String, FeedPlace> places = new HashMap<>();
    for (ChangePositionPB.TabletPB tablet : message.getTabletsList()) {
      places.put(
          tablet.getTabletId().toStringUtf8(),
          new FeedPlace(
              tablet.getTimestamp(),
              tablet.hasAfterKey() ? tablet.getAfterKey().toByteArray() : null));
    }
    return new KuduChangePosition(message.getTableId().toStringUtf8(), places);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KuduChangePosition position
        && tableId.equals(position.tableId)
        && places.equals(position.places);
  }

  @Override
  public int hashCode() {
    return Objects.hash(tableId, places);
  }

  @Override
  public String toString() {
    return "Position in the changes of table " + tableId + ": " + places;
  }
}
