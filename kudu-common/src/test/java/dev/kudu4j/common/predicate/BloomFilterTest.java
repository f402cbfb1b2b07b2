package dev.kudu4j.common.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kudu4j.common.TestVectors;
import dev.kudu4j.common.proto.common.ColumnPredicatePB;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BloomFilterTest {
  static Stream<JsonNode> hashes() {
    return TestVectors.group("fasthash");
  }

  static Stream<JsonNode> filters() {
    return TestVectors.group("bloom_filters");
  }

  @ParameterizedTest
  @MethodSource("hashes")
  void hashesEqualKudus(JsonNode vector) {
    int seed = (int) vector.get("seed").asLong();
    long expected = Long.parseUnsignedLong(vector.get("hash64").asText());
    if (vector.get("input").isNull()) {
      assertThat(FastHash.hash64OfNull(seed & 0xffffffffL)).isEqualTo(expected);
      return;
    }
    byte[] input = TestVectors.hex(vector.get("input"));
    assertThat(FastHash.hash64(input, 0, input.length, seed & 0xffffffffL)).isEqualTo(expected);
    assertThat(FastHash.hash32(input, 0, input.length, seed))
        .isEqualTo(Integer.parseUnsignedInt(vector.get("hash32").asText()));
  }

  @ParameterizedTest
  @MethodSource("filters")
  void filtersEqualThoseThatApacheKuduAccepted(JsonNode vector) throws Exception {
    var pb =
        ColumnPredicatePB.parseFrom(TestVectors.hex(vector.get("predicate_pb"))).getInBloomFilter();
    List<byte[]> inserted = new ArrayList<>();
    for (JsonNode cell : vector.get("inserted")) {
      inserted.add(TestVectors.hex(cell.get("hex")));
    }
    BlockBloomFilter filter =
        BlockBloomFilter.empty(
                vector.get("log_space_bytes").asInt(), (int) vector.get("hash_seed").asLong())
            .with(inserted);
    assertThat(filter.data()).isEqualTo(pb.getBloomFilters(0).getBloomData().toByteArray());
    assertThat(inserted).allMatch(cell -> filter.mayContainCell(cell, 0, cell.length));
  }
}
