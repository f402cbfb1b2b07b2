package dev.kudu4j.tablet;

import dev.kudu4j.common.index.ClaimedIndex;
import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.time.Epochs;
import dev.kudu4j.common.wire.IndexWire;
import dev.kudu4j.tablet.log.FeedMark;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The metadata of a tablet, stored in the superblock.
 *
 * @param tabletId 32 hex digits
 * @param tableId 32 hex digits
 * @param tableName may change with an alteration
 * @param schema columns with ids
 * @param schemaVersion increases with each alteration
 * @param attributes opaque bytes by name, owned by the layer above (partition, extra
 *     configuration), except {@link #INDEXES}, {@link #EPOCHS} and {@link #DERIVED}
 */
public record TabletDescriptor(
    String tabletId,
    String tableId,
    String tableName,
    Schema schema,
    int schemaVersion,
    Map<String, byte[]> attributes) {
  /**
   * The attribute with the definitions of the tablet's indexes, as {@link IndexWire} encodes them.
   */
  public static final String INDEXES = "indexes";

  /** The attribute with the tablet's epochs, as {@link Epochs#toBytes} encodes them. */
  public static final String EPOCHS = "epochs";

  /**
   * The attribute that a derived tablet has from its creation on, with its {@link FeedMark}. The
   * rows of such a tablet come from FEED entries.
   */
  public static final String DERIVED = "derived";

  /** Whether this is a derived tablet. */
  public boolean isDerived() {
    return attributes.containsKey(DERIVED);
  }

  /** How much of its feed the tablet has. Defined for derived tablets only. */
  public FeedMark feedMark() {
    byte[] bytes = attributes.get(DERIVED);
    assert bytes != null : "the tablet is derived";
    return FeedMark.fromBytes(bytes);
  }

  /** A copy with the indexes of another descriptor of the tablet. */
  public TabletDescriptor withIndexesOf(TabletDescriptor other) {
    Map<String, byte[]> changed = new HashMap<>(attributes);
    changed.remove(INDEXES);
    byte[] indexes = other.attributes().get(INDEXES);
    if (indexes != null) {
      changed.put(INDEXES, indexes);
    }
    return new TabletDescriptor(tabletId, tableId, tableName, schema, schemaVersion, changed);
  }

  /** The epochs at whose boundaries the tablet freezes its stores. */
  public Epochs epochs() {
    byte[] bytes = attributes.get(EPOCHS);
    return bytes == null ? Epochs.NONE : Epochs.fromBytes(bytes);
  }

  /** The indexes whose files rowsets get when they are written, and later in the background. */
  public List<IndexDefinition> indexes() {
    byte[] bytes = attributes.get(INDEXES);
    return bytes == null
        ? List.of()
        : IndexWire.fromBytes(bytes).stream()
            .filter(index -> !index.hasTablets() && !index.columns().isEmpty())
            .toList();
  }

  /** The unique indexes whose values writers claim before a write is logged. */
  public List<ClaimedIndex> claimedIndexes() {
    byte[] bytes = attributes.get(INDEXES);
    return bytes == null ? List.of() : IndexWire.claimedFromBytes(bytes);
  }

  /** Whether no two rows may have equal values, by an index of any kind. */
  public boolean hasEnforcedIndex() {
    return indexes().stream().anyMatch(index -> index.uniqueness().isEnforced())
        || claimedIndexes().stream()
            .anyMatch(index -> index.definition().uniqueness().isEnforced());
  }
}
