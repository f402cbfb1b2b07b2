package dev.kudu4j.tserver.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.proto.index.IndexHintPB;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.tablet.scan.index.IndexHint;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Names of indexes in requests. */
class IndexHintsTest {
  private static final List<IndexDefinition> INDEXES =
      List.of(
          new IndexDefinition(3, "by_a", List.of(1), List.of()),
          new IndexDefinition(5, "by_b", List.of(2), List.of()));

  private static IndexHint hint(IndexHintPB.Use use, String... names) {
    NewScanRequestPB request =
        NewScanRequestPB.newBuilder()
            .setTabletId(ByteString.EMPTY)
            .setIndexHint(IndexHintPB.newBuilder().setUse(use).addAllNames(List.of(names)))
            .build();
    return IndexHints.of(request, () -> INDEXES);
  }

  @Test
  void requestWithoutNamesIsAnsweredWithoutTheIndexes() {
    NewScanRequestPB request = NewScanRequestPB.newBuilder().setTabletId(ByteString.EMPTY).build();
    assertThat(
            IndexHints.of(
                request,
                () -> {
                  throw new AssertionError("The indexes are not needed");
                }))
        .isEqualTo(IndexHint.CHOSEN);
    assertThat(hint(IndexHintPB.Use.FORCED)).isEqualTo(IndexHint.FORCED);
    assertThat(hint(IndexHintPB.Use.FORBIDDEN)).isEqualTo(IndexHint.NONE);
  }

  @Test
  void namesBecomeIds() {
    assertThat(hint(IndexHintPB.Use.FORCED, "by_b"))
        .isEqualTo(new IndexHint(true, Set.of(5), false));
    assertThat(hint(IndexHintPB.Use.FORBIDDEN, "by_b", "by_nobody"))
        .isEqualTo(new IndexHint(false, Set.of(3), false));
    assertThatThrownBy(() -> hint(IndexHintPB.Use.FORCED, "by_nobody"))
        .hasMessage("The table has no index by_nobody; it has by_a, by_b");
  }

  @Test
  void scanWithAReportAlsoEstimatesOtherIndexes() {
    NewScanRequestPB request =
        NewScanRequestPB.newBuilder().setTabletId(ByteString.EMPTY).setWantsReport(true).build();
    assertThat(IndexHints.of(request, () -> INDEXES).explained()).isTrue();
  }
}
