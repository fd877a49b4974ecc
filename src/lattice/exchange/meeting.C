#include "meeting.H"
#include "gathered.H"
#include "links/linkView.H"

#include <map>

namespace lbm
{

namespace
{

//- What a process says of its exchange with another
struct statement
{
    std::int64_t peer = -1;

    //- Lists for it: of links, of nodes that are sent and received
    std::int64_t nLists[3] = {0, 0, 0};

    std::int64_t nLinks = 0;

    //- Hash of their directions as they leave the lower rank
    std::uint64_t directions = 0;

    //- Bytes of nodes
    std::int64_t nSent = 0;
    std::int64_t nReceived = 0;
};


//- G. Fowler, L.C. Noll, K.-P. Vo, FNV-1a
std::uint64_t hashOf
(
    const std::vector<std::uint8_t>& directions,
    bool opposites
)
{
    std::uint64_t result = 14695981039346656037u;
    for (const int i : directions)
    {
        result ^= opposites ? opposite(i) : i;
        result *= 1099511628211u;
    }
    return result;
}


std::vector<statement> statementsOf
(
    const latticeDescription& d,
    int rank,
    std::int64_t nodeBytes
)
{
    std::map<int, statement> result;
    for (const haloLinks& h : d.halos)
    {
        if (!h.node.empty())
        {
            statement& s = result[h.peer];
            ++s.nLists[0];
            s.nLinks = h.node.size();
            s.directions = hashOf(h.direction, rank > h.peer);
        }
    }
    for (const remoteNodes& r : d.sent)
    {
        if (!r.node.empty())
        {
            statement& s = result[r.peer];
            ++s.nLists[1];
            s.nSent = nodeBytes*r.node.size();
        }
    }
    for (const remoteNodes& r : d.received)
    {
        if (!r.node.empty())
        {
            statement& s = result[r.peer];
            ++s.nLists[2];
            s.nReceived = nodeBytes*r.node.size();
        }
    }

    std::vector<statement> list;
    for (auto& entry : result)
    {
        entry.second.peer = entry.first;
        list.push_back(entry.second);
    }
    return list;
}


//- Throws if what a process says differs from what its peer says of it
void compare(std::int64_t rank, const statement& s, const statement& back)
{
    const auto name = [](std::int64_t r)
    {
        return "rank " + std::to_string(r);
    };
    const auto fail = [](const std::string& what)
    {
        throw error("parts of the lattice do not fit together: " + what);
    };
    if (s.nLinks != back.nLinks)
    {
        fail
        (
            name(rank) + " has " + std::to_string(s.nLinks) + " links to "
          + name(s.peer) + ", which has " + std::to_string(back.nLinks)
          + " back"
        );
    }
    if (s.directions != back.directions)
    {
        fail
        (
            "the " + std::to_string(s.nLinks) + " links between "
          + name(rank) + " and " + name(s.peer) + " differ in their directions"
        );
    }
    if (s.nSent != back.nReceived || s.nReceived != back.nSent)
    {
        fail
        (
            name(rank) + " sends " + std::to_string(s.nSent) + " bytes of nodes"
            " to " + name(s.peer) + " and expects "
          + std::to_string(s.nReceived) + ", " + name(s.peer) + " expects "
          + std::to_string(back.nReceived) + " and sends "
          + std::to_string(back.nSent)
        );
    }
    for (const std::int64_t n : s.nLists)
    {
        if (n > 1)
        {
            fail
            (
                name(rank) + " has " + std::to_string(n) + " lists for "
              + name(s.peer)
            );
        }
    }
}

} // End anonymous namespace


meeting::meeting
(
    communicator& processes,
    const latticeDescription& d,
    std::int64_t nodeBytes
)
{
    std::vector<statement> own =
        statementsOf(d, processes.rank(), nodeBytes);

    // As many of each
    std::int64_t most = own.size();
    for (const std::int64_t n : gathered(processes, &most, 1))
    {
        most = std::max(most, n);
    }
    own.resize(most);
    const std::vector<statement> all = gathered(processes, own.data(), most);

    for (std::size_t l = 0; l < all.size(); ++l)
    {
        const statement& s = all[l];
        const std::int64_t rank = l/most;
        if (s.nLinks == 0 && s.nSent == 0 && s.nReceived == 0)
        {
            continue;
        }
        links = links || s.nLinks > 0;
        nodes = nodes || s.nSent > 0;
        if (s.peer < 0 || s.peer >= processes.size() || s.peer == rank)
        {
            throw error
            (
                "parts of the lattice do not fit together: rank "
              + std::to_string(rank) + " of "
              + std::to_string(processes.size()) + " has links or nodes for"
                " rank " + std::to_string(s.peer)
            );
        }
        const auto begin = all.begin() + most*s.peer;
        const auto found = std::find_if
        (
            begin,
            begin + most,
            [=](const statement& b) { return b.peer == rank; }
        );
        compare(rank, s, found == begin + most ? statement() : *found);
    }
}

} // End namespace lbm
