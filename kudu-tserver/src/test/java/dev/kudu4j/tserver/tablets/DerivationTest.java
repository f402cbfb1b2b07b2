package dev.kudu4j.tserver.tablets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.index.IndexDefinition;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The sources that a tablet of an index reads. */
class DerivationTest {
  private static final IndexDefinition INDEX = new IndexDefinition(0, "i", List.of(1), List.of());

  private static Derivation hashed(int buckets) {
    List<String> sources = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < buckets; i++) {
      sources.add("tablet " + i);
      numbers.add(i);
    }
    return new Derivation(INDEX, 1, sources, buckets, numbers);
  }

  @Property
  void theTabletsOfARowAreAmongThem(
      @ForAll @IntRange(min = 0) int hash,
      @ForAll @IntRange(min = 2, max = 40) int ofTable,
      @ForAll @IntRange(min = 2, max = 40) int ofIndex) {
    assertThat(hashed(ofTable).sourcesOf(hash % ofIndex, ofIndex))
        .contains("tablet " + hash % ofTable);
  }

  @Test
  void othersAreLeftOut() {
    assertThat(hashed(8).sourcesOf(1, 4)).containsExactly("tablet 1", "tablet 5");
    assertThat(hashed(2).sourcesOf(3, 4)).containsExactly("tablet 1");
    assertThat(hashed(3).sourcesOf(1, 4)).hasSize(3);
    assertThat(hashed(4).sourcesOf(0, 0)).hasSize(4);
    assertThat(new Derivation(INDEX, 1, List.of("a", "b"), 0, List.of()).sourcesOf(0, 4))
        .hasSize(2);
  }
}
